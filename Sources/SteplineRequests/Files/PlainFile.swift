import Foundation

/// Small files that are read and replaced as a whole.
enum PlainFile {
    /// What a file has in it; nil if it isn't there.
    ///
    /// More bytes than `limit`, or anything but a file, is an error.
    static func contents(of url: URL, limit: Int) throws -> Data? {
        let path = url.path(percentEncoded: false)
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
        guard status.st_size <= limit else { throw SystemCallError("read", path, EFBIG) }
        var data = Data(count: Int(status.st_size))
        var count = 0
        while count < data.count {
            let read = data.withUnsafeMutableBytes { bytes in
                retrying { Foundation.read(file, bytes.baseAddress.map { $0 + count }, bytes.count - count) }
            }
            guard read >= 0 else { throw SystemCallError("read", path) }
            if read == 0 { break }
            count += read
        }
        return data.prefix(count)
    }

    /// Puts a file in place in one moment.
    static func replace(_ url: URL, with data: Data, mode: mode_t) throws {
        let folder = try Folder(url.deletingLastPathComponent().path(percentEncoded: false))
        let (name, file) = try folder.makeTemporary(mode: mode)
        do {
            defer { _ = close(file) }
            try write(data, to: file, name)
            try askForLateErrors(of: file, name)
            try folder.rename(name, to: url.lastPathComponent)
        } catch {
            folder.remove(name)
            throw error
        }
    }

    /// Keeps other processes that change the same file away until `body` returns.
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
