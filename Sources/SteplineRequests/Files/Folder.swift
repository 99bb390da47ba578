package import Foundation
import SteplineSupport

/// An open folder: its files are named within it, so that no link that somebody puts in the way leads out of it.
package final class Folder: Sendable {
    package let path: String
    private let descriptor: Int32

    package init(_ path: String) throws {
        self.path = path
        descriptor = retrying { Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw SystemCallError("open", path) }
    }

    deinit { _ = Foundation.close(descriptor) }

    private func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    /// Opens a file of the folder, without ever waiting and never through a link.
    package func open(_ name: String, _ flags: Int32, mode: mode_t = 0o666) throws -> Int32 {
        let file = retrying {
            openat(descriptor, name, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, mode)
        }
        guard file >= 0 else { throw SystemCallError("open", path(of: name)) }
        return file
    }

    /// The status of what has a name, links themselves included; nil if nothing has it.
    package func status(of name: String) throws -> stat? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw SystemCallError("stat", path(of: name)) }
            return nil
        }
        return status
    }

    package func rename(_ name: String, to new: String) throws {
        guard renameat(descriptor, name, descriptor, new) == 0 else {
            throw SystemCallError("rename", path(of: new))
        }
    }

    /// Gives a file a second name, which nothing may have yet.
    package func link(_ name: String, as new: String) throws {
        guard linkat(descriptor, name, descriptor, new, 0) == 0 else {
            throw SystemCallError("link", path(of: new))
        }
    }

    /// Removes a file, if it is there.
    package func remove(_ name: String) { _ = unlinkat(descriptor, name, 0) }

    /// Waits until the names in the folder are on the disk.
    package func sync() throws {
        guard retrying({ fsync(descriptor) }) == 0 else { throw SystemCallError("sync", path) }
    }

    /// Keeps others who ask for the folder away until `body` returns.
    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        // A lock belongs to what was opened, so that each who asks needs a descriptor of his own.
        let own = try Folder(path)
        guard retrying({ flock(own.descriptor, LOCK_EX) }) == 0 else { throw SystemCallError("lock", path) }
        defer { _ = flock(own.descriptor, LOCK_UN) }
        return try body()
    }

    /// The names in the folder that begin and end so.
    func names(from prefix: String, to suffix: String) -> [String] {
        let copy = retrying { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard copy >= 0 else { return [] }
        guard let list = fdopendir(copy) else {
            _ = Foundation.close(copy)
            return []
        }
        defer { closedir(list) }
        var names: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(prefix), name.hasSuffix(suffix) { names.append(name) }
        }
        return names
    }

    /// What tells the folder from all others.
    var identity: String {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? "\(status.st_dev)-\(status.st_ino)" : path
    }
}

/// Makes a call again that a signal has interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
