package import Foundation
import SteplineSupport

extension Folder {
    private static let prefix = ".stepline-"
    private static let suffix = ".tmp"
    /// The folders that have been looked through; so many are remembered.
    private static let cleaned = Locked<Set<String>>([])
    private static let mostCleaned = 4096

    /// Makes a file that nobody else uses, open for writing, and removes those of dead processes first.
    ///
    /// It is locked for as long as it is open: by that others can tell that it is in use.
    package func makeTemporary(mode: mode_t = 0o666) throws -> (name: String, descriptor: Int32) {
        removeLeftOvers()
        while true {
            let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36) + Self.suffix
            let file = try open(name, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
            // Whoever has taken it for a left-over meanwhile has it locked, or has removed it.
            if flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, has(name, file) {
                return (name, file)
            }
            _ = Foundation.close(file)
            remove(name)
        }
    }

    /// Removes temporary files that no process has locked, the first time that this process writes here.
    private func removeLeftOvers() {
        // With the path: a folder that was made anew may have the number of one that is gone.
        let identity = "\(path)\n\(identity)"
        let isNew = Self.cleaned.withLock { cleaned in
            if cleaned.count >= Self.mostCleaned { cleaned.removeAll() }
            return cleaned.insert(identity).inserted
        }
        guard isNew else { return }
        for name in names(from: Self.prefix, to: Self.suffix) {
            guard let file = try? open(name, O_RDONLY) else { continue }
            if flock(file, LOCK_EX | LOCK_NB) == 0, has(name, file) { remove(name) }
            _ = Foundation.close(file)
        }
    }

    /// Whether a name is still that of an open file.
    private func has(_ name: String, _ file: Int32) -> Bool {
        var opened = stat()
        guard fstat(file, &opened) == 0, let present = try? status(of: name) else { return false }
        return present.st_ino == opened.st_ino && present.st_dev == opened.st_dev
            && opened.st_mode & S_IFMT == S_IFREG
    }
}
