import Foundation

/// Any asynchronous sequence of chunks, its type erased.
class AnyChunks {
    func next(isolation actor: isolated (any Actor)?) async throws -> Data? { nil }
}

/// Chunks of a known type.
final class Chunks<Iterator: AsyncIteratorProtocol>: AnyChunks where Iterator.Element == Data {
    private var iterator: Iterator

    init(_ iterator: Iterator) { self.iterator = iterator }

    override func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        try await iterator.next(isolation: actor)
    }
}

/// Reads a stream's input in chunks of 64 KiB, or as they arrive; a file is opened with the first.
struct ChunkReader {
    private static let size = 1 << 16

    private let source: JSON.Stream.Source
    private var chunks: AnyChunks?
    private var file: FileHandle?
    private var position = 0

    init(_ source: JSON.Stream.Source) {
        self.source = source
        if case .chunks(let make) = source { chunks = make() }
    }

    /// The next chunk, nil at the end.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        guard let chunks else { return try next() }
        return try await chunks.next(isolation: actor)
    }

    /// The next chunk of a file or of data; nil at the end, and for asynchronous chunks always.
    mutating func next() throws(JSONError) -> Data? {
        switch source {
        case .data(let data):
            guard position < data.count else { return nil }
            defer { position += Self.size }
            return data.dropFirst(position).prefix(Self.size)
        case .file(let url):
            do {
                let file = try self.file ?? FileHandle(forReadingFrom: url)
                self.file = file
                guard let data = try file.read(upToCount: Self.size), !data.isEmpty else { return nil }
                return data
            } catch {
                throw JSONError(.unreadable, message: "Can't read \(url.path)", underlying: error)
            }
        case .chunks: return nil
        }
    }
}
