package import Foundation
import SteplineSupport

extension Folder {
    private static let prefix = ".stepline-"
    private static let suffix = ".tmp"
    /// The folders that were cleaned already, and the maximum number of them to remember.
    private static let cleaned = Locked<Set<String>>([])
    private static let mostCleaned = 4096

    /// Creates a locked temporary file, open for writing; first removes the files of dead processes.
    ///
    /// The lock exists as long as the file is open. Other processes recognize a file in use by its lock.
    package func makeTemporary(mode: mode_t = 0o666) throws -> (name: String, descriptor: Int32) {
        removeLeftOvers()
        while true {
            let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36) + Self.suffix
            let file = try open(name, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
            // Another process may have locked or removed the file before this lock, mistaking it for a leftover.
            if flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, has(name, file) {
                return (name, file)
            }
            _ = Foundation.close(file)
            remove(name)
        }
    }

    /// Removes temporary files that no process has locked, before this process's first temporary file in the folder.
    private func removeLeftOvers() {
        // The path is part of the key: a new folder may reuse the inode number of a deleted one.
        let identity = "\(path)\n\(identity)"
        let isNew = Self.cleaned.withLock { cleaned in
            if cleaned.count >= Self.mostCleaned { cleaned.removeAll() }
            return cleaned.insert(identity).inserted
        }
        guard isNew else { return }
        for name in names(from: Self.prefix, to: Self.suffix) {
            guard let file = try? open(name, O_RDONLY) else { continue }
            // A file without a lock belongs to a process that ended.
            if flock(file, LOCK_EX | LOCK_NB) == 0, has(name, file) { remove(name) }
            _ = Foundation.close(file)
        }
    }

    /// Returns whether a name still refers to an open file.
    private func has(_ name: String, _ file: Int32) -> Bool {
        var opened = stat()
        guard fstat(file, &opened) == 0, let present = try? status(of: name) else { return false }
        return present.st_ino == opened.st_ino && present.st_dev == opened.st_dev
            && opened.st_mode & S_IFMT == S_IFREG
    }
}
