import Foundation

/// Operations on small files that are read and replaced as a whole.
enum PlainFile {
    /// Returns the contents of a file; nil if the file doesn't exist.
    ///
    /// A file larger than `limit`, and anything but a regular file, is an error.
    static func contents(of url: URL, limit: Int) throws -> Data? {
        let path = url.path(percentEncoded: false)
        // `O_NONBLOCK`: a named pipe must not block the load.
        let file = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard file >= 0 else {
            guard errno == ENOENT else { throw SystemCallError("open", path) }
            return nil
        }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SystemCallError("open", path, EINVAL)
        }
        // Checked before memory is reserved.
        guard status.st_size <= limit else { throw SystemCallError("read", path, EFBIG) }
        var data = Data(count: Int(status.st_size))
        var count = 0
        while count < data.count {
            let read = data.withUnsafeMutableBytes { bytes in
                retrying { Foundation.read(file, bytes.baseAddress.map { $0 + count }, bytes.count - count) }
            }
            guard read >= 0 else { throw SystemCallError("read", path) }
            // The file became shorter while it was read.
            if read == 0 { break }
            count += read
        }
        return data.prefix(count)
    }

    /// Replaces a file atomically.
    static func replace(_ url: URL, with data: Data, mode: mode_t) throws {
        let folder = try Folder(url.deletingLastPathComponent().path(percentEncoded: false))
        let (name, file) = try folder.makeTemporary(mode: mode)
        do {
            defer { _ = close(file) }
            try write(data, to: file, name)
            // Before the rename: a file with a late write error must not replace the old one.
            try askForLateErrors(of: file, name)
            // The file is still locked here, so no process takes it for a leftover.
            try folder.rename(name, to: url.lastPathComponent)
        } catch {
            folder.remove(name)
            throw error
        }
    }

    /// Runs `body` while this process holds the lock of the file's folder.
    static func locking<Result>(folderOf url: URL, _ body: () throws -> Result) throws -> Result {
        try Folder(url.deletingLastPathComponent().path(percentEncoded: false)).locked(body)
    }

    private static func write(_ data: Data, to file: Int32, _ name: String) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = retrying { Foundation.write(file, rest.baseAddress, rest.count) }
                guard count >= 0 else { throw SystemCallError("write", name) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
