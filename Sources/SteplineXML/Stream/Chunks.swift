import Foundation

/// Any asynchronous sequence of chunks, its type forgotten.
class Chunks {
    func next(isolation actor: isolated (any Actor)?) async throws -> Data? { nil }
}

/// One whose type is known.
final class TypedChunks<Iterator: AsyncIteratorProtocol>: Chunks
where Iterator.Element: DataProtocol & Sendable {
    private var iterator: Iterator

    init(_ iterator: Iterator) { self.iterator = iterator }

    override func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        try await iterator.next(isolation: actor).map { Data($0) }
    }
}

/// Gives a stream's input in pieces.
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

    /// The next piece of a file or of data; nil at the end, and for chunks always.
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

    /// The next piece of whatever it is.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
        guard case .chunks(let chunks) = self else { return try next() }
        return try await chunks.next(isolation: actor)
    }
}
