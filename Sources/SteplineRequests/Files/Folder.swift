package import Foundation
import SteplineSupport

/// An open folder; file names are resolved within it, so no symbolic link can lead outside.
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

    /// Opens a file of the folder, without waiting and without following a link.
    package func open(_ name: String, _ flags: Int32, mode: mode_t = 0o666) throws -> Int32 {
        // `O_NONBLOCK`: opening a named pipe would otherwise wait for its other end.
        let file = retrying {
            openat(descriptor, name, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, mode)
        }
        guard file >= 0 else { throw SystemCallError("open", path(of: name)) }
        return file
    }

    /// Returns the status of a name, without following a link; nil if the name doesn't exist.
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

    /// Creates a second name for a file; fails if the name exists.
    package func link(_ name: String, as new: String) throws {
        guard linkat(descriptor, name, descriptor, new, 0) == 0 else {
            throw SystemCallError("link", path(of: new))
        }
    }

    /// Removes a file, if it exists.
    package func remove(_ name: String) { _ = unlinkat(descriptor, name, 0) }

    /// Waits until the folder's entries are on disk.
    package func sync() throws {
        #if canImport(Darwin)
            // On Darwin `fsync` leaves data in the disk's cache. Some file systems don't support `F_FULLFSYNC`.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard retrying({ fsync(descriptor) }) == 0 else { throw SystemCallError("sync", path) }
    }

    /// Runs `body` while this process holds the folder's lock.
    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        // A lock belongs to the open file description, so each caller needs its own descriptor.
        let own = try Folder(path)
        guard retrying({ flock(own.descriptor, LOCK_EX) }) == 0 else { throw SystemCallError("lock", path) }
        defer { _ = flock(own.descriptor, LOCK_UN) }
        return try body()
    }

    /// Returns the names with a prefix and a suffix.
    func names(from prefix: String, to suffix: String) -> [String] {
        // A new descriptor: reading the entries moves its position.
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

    /// The device and inode number, which identify the folder.
    var identity: String {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? "\(status.st_dev)-\(status.st_ino)" : path
    }
}

/// Repeats a call that was interrupted by a signal.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
