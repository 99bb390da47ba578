package import Foundation

/// Temporary files without a name.
package enum NamelessFile {
    /// Returns an unlinked file with the bytes, positioned at their end.
    package static func make(_ data: Data) throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
        let path = url.path(percentEncoded: false)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        unlink(path)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        return file
    }
}
