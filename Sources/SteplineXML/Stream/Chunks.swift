import Foundation

/// A type-erased asynchronous sequence of chunks.
class Chunks {
    func next(isolation actor: isolated (any Actor)?) async throws -> Data? { nil }
}

/// A sequence of chunks with a known type.
final class TypedChunks<Iterator: AsyncIteratorProtocol>: Chunks
where Iterator.Element: DataProtocol & Sendable {
    private var iterator: Iterator

    init(_ iterator: Iterator) { self.iterator = iterator }

    override func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        try await iterator.next(isolation: actor).map { Data($0) }
    }
}

/// Reads a stream's input in pieces.
enum PieceReader {
    case file(FileReader)
    case data(Data, offset: Int)
    case chunks(Chunks)

    init(_ source: XML.Stream.Source) throws(XMLError) {
        switch source {
        case .file(let url): self = .file(try FileReader(url))
        case .data(let data): self = .data(data, offset: 0)
        case .chunks(let make): self = .chunks(make())
        }
    }

    /// Returns the next piece of a file or of data; nil at the end, and always for asynchronous chunks.
    mutating func next() throws(XMLError) -> Data? {
        switch self {
        case .file(let reader): return try reader.next()
        case .data(let data, let offset):
            guard offset < data.count else { return nil }
            let end = min(offset + 65_536, data.count)
            self = .data(data, offset: end)
            return data[data.startIndex + offset..<data.startIndex + end]
        case .chunks: return nil
        }
    }

    /// Returns the next piece of any source.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        guard case .chunks(let chunks) = self else { return try next() }
        return try await chunks.next(isolation: actor)
    }
}
