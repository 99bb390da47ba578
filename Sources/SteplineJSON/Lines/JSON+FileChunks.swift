public import Foundation

extension JSON {
    /// The chunks of a file or of data, read on demand.
    public struct Chunks: AsyncSequence, Sendable {
        /// A chunk.
        public typealias Element = Data

        enum Origin: Sendable {
            case file(URL)
            case data(Data)
        }

        let origin: Origin
        let size: Int

        /// Makes an iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(origin: origin, size: size) }

        /// Iterates over the chunks.
        public struct Iterator: AsyncIteratorProtocol {
            private let origin: Origin
            private let size: Int
            private var file: FileHandle?
            private var position = 0

            init(origin: Origin, size: Int) {
                self.origin = origin
                self.size = Swift.max(1, size)
            }

            /// Returns the next chunk, or nil at the end.
            public mutating func next() async throws -> Data? { try piece() }

            mutating func piece() throws -> Data? {
                switch origin {
                case .data(let data):
                    guard position < data.count else { return nil }
                    defer { position += size }
                    return data.dropFirst(position).prefix(size)
                case .file(let url):
                    return try piece(of: url)
                }
            }

            private mutating func piece(of url: URL) throws -> Data? {
                do {
                    let file = try self.file ?? FileHandle(forReadingFrom: url)
                    self.file = file
                    guard let data = try file.read(upToCount: size), !data.isEmpty else { return nil }
                    return data
                } catch {
                    throw JSONError(.unreadable, message: "Can't read \(url.path)", underlying: error)
                }
            }
        }
    }
}

extension JSON.Lines where Chunks == JSON.Chunks {
    /// Makes a sequence of a file's records; the file is opened when the first record is requested.
    ///
    /// A file that can't be read is the error `.unreadable`.
    public init(contentsOf file: URL, options: JSON.Options = .init(), chunkSize: Int = 1 << 16) {
        self.init(JSON.Chunks(origin: .file(file), size: chunkSize), options: options)
    }

    /// Makes a sequence of the records in data.
    public init(_ data: Data, options: JSON.Options = .init(), chunkSize: Int = 1 << 16) {
        self.init(JSON.Chunks(origin: .data(data), size: chunkSize), options: options)
    }

    /// Calls `body` with each record of a file, on this thread; an error of `body` ends the iteration.
    public static func forEach(
        inContentsOf file: URL, options: JSON.Options = .init(), chunkSize: Int = 1 << 16,
        _ body: (JSON) throws -> Void
    ) throws {
        try forEach(in: .file(file), options, chunkSize, body)
    }

    /// Calls `body` with each record in data, on this thread; an error of `body` ends the iteration.
    public static func forEach(
        in data: Data, options: JSON.Options = .init(), chunkSize: Int = 1 << 16,
        _ body: (JSON) throws -> Void
    ) throws {
        try forEach(in: .data(data), options, chunkSize, body)
    }

    private static func forEach(
        in origin: JSON.Chunks.Origin, _ options: JSON.Options, _ size: Int, _ body: (JSON) throws -> Void
    ) throws {
        var chunks = JSON.Chunks.Iterator(origin: origin, size: size)
        let reader = JSON.LineReader(options: options)
        while let chunk = try chunks.piece() { try reader.read(chunk, body) }
        try reader.finish(body)
    }
}

// An iterator must not be shared between tasks: it holds a position in a file.
@available(*, unavailable)
extension JSON.Chunks.Iterator: Sendable {}
