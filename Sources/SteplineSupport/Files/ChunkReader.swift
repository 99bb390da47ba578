package import Foundation

/// A text of any size: a file, data in memory, or chunks that arrive asynchronously.
package enum ChunkSource: Sendable {
    case file(URL)
    case data(Data)
    case chunks(@Sendable () -> AnyChunks)

    /// Makes a source of asynchronous chunks.
    package init<S: AsyncSequence & Sendable>(_ chunks: S) where S.Element: DataProtocol & Sendable {
        self = .chunks { Chunks(chunks.makeAsyncIterator()) }
    }
}

/// A type-erased asynchronous sequence of chunks.
package class AnyChunks {
    func next(isolation actor: isolated (any Actor)?) async throws -> Data? { nil }
}

/// A sequence of chunks with a known type.
final class Chunks<Iterator: AsyncIteratorProtocol>: AnyChunks
where Iterator.Element: DataProtocol & Sendable {
    private var iterator: Iterator

    init(_ iterator: Iterator) { self.iterator = iterator }

    override func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        try await iterator.next(isolation: actor).map { $0 as? Data ?? Data($0) }
    }
}

/// Reads a source in chunks of 64 KiB, or as they arrive; a file is opened with the first.
package struct ChunkReader<Failure: Error> {
    private let source: ChunkSource
    /// Returns the error for a file that can't be read.
    private let unreadable: (URL, any Error) -> Failure
    private var chunks: AnyChunks?
    private var file: FileHandle?
    private var position = 0

    private static var size: Int { 1 << 16 }

    package init(_ source: ChunkSource, unreadable: @escaping (URL, any Error) -> Failure) {
        self.source = source
        self.unreadable = unreadable
        if case .chunks(let make) = source { chunks = make() }
    }

    /// Returns the next chunk of any source; nil at the end.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        guard let chunks else { return try next() }
        return try await chunks.next(isolation: actor)
    }

    /// Returns the next chunk of a file or of data; nil at the end, and always for asynchronous chunks.
    package mutating func next() throws(Failure) -> Data? {
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
                throw unreadable(url, error)
            }
        case .chunks: return nil
        }
    }
}
