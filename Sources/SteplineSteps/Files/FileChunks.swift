import Foundation

/// Reads a file in pieces.
final class FileChunks {
    private static let size = 1 << 18

    private let file: OpenFile

    init(_ url: URL) throws {
        file = try OpenFile(url.pathOfFile(), O_RDONLY)
        guard try file.status().isRegularFile else {
            throw FileError(.notRegular, file.path, "not a regular file")
        }
    }

    /// Returns the next piece; nil at the end.
    func next() throws -> Data? {
        var chunk = Data(count: Self.size)
        let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
        return count > 0 ? chunk.prefix(count) : nil
    }
}

/// Buffers bytes, so that a file is written in large pieces.
struct FileBuffer {
    private static let size = 1 << 18

    private let file: OpenFile
    private var bytes: [UInt8] = []

    init(_ file: OpenFile) { self.file = file }

    mutating func append(_ more: some Collection<UInt8>) throws {
        bytes.append(contentsOf: more)
        if bytes.count >= Self.size { try flush() }
    }

    mutating func flush() throws {
        try file.writeAll(Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }
}
