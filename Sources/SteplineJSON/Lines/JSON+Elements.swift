public import Foundation

extension JSON {
    /// The elements of one array of a document, one after the other, in constant memory.
    ///
    /// Nothing is read before it is asked for; an error ends the sequence, and cancelling the task does.
    public struct ElementStream<Chunks: AsyncSequence>: AsyncSequence where Chunks.Element == Data {
        /// An element.
        public typealias Element = JSON

        private let chunks: Chunks
        private let pointer: String
        private let options: Options

        init(_ chunks: Chunks, _ pointer: String, _ options: Options) throws(JSONError) {
            _ = try JSONPointer(pointer)
            self.chunks = chunks
            self.pointer = pointer
            self.options = options
        }

        /// Makes an iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                chunks: chunks.makeAsyncIterator(),
                reader: Result { [pointer, options] () throws(JSONError) in
                    try ElementReader(at: pointer, options: options)
                })
        }

        /// Walks the elements.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var chunks: Chunks.AsyncIterator
            fileprivate let reader: Result<ElementReader, JSONError>
            private var isAtEnd = false

            fileprivate init(chunks: Chunks.AsyncIterator, reader: Result<ElementReader, JSONError>) {
                self.chunks = chunks
                self.reader = reader
            }

            /// The next element.
            public mutating func next() async throws -> JSON? { try await next(isolation: nil) }

            /// The next element, parsed where the caller runs.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(any Error) -> JSON? {
                let reader = try reader.get()
                while !isAtEnd {
                    guard !Task.isCancelled else { throw CancellationError() }
                    if let element = try element(reader) { return element }
                    if let chunk = try await chunks.next(isolation: actor) {
                        reader.append(chunk)
                        continue
                    }
                    reader.end()
                    let element = try element(reader)
                    isAtEnd = element == nil
                    return element
                }
                return nil
            }

            private mutating func element(_ reader: ElementReader) throws -> JSON? {
                do {
                    return try reader.next()
                } catch {
                    isAtEnd = true
                    throw error
                }
            }
        }
    }

    /// The elements of the array at a JSON Pointer (`/data/items`, or empty for the whole) of a file.
    ///
    /// ```swift
    /// for try await item in try JSON.elements(at: "/data/items", in: file) { … }
    /// ```
    ///
    /// The text is UTF-8, all of it is checked, and memory holds a chunk and one element, however large the
    /// file. The options hold for each element. An array that isn't there is `.notFound`, something else in
    /// its place `.wrongKind`, a malformed pointer `.invalidPath`, a file that can't be read `.unreadable`.
    public static func elements(
        at pointer: String, in file: URL, options: Options = .init(), chunkSize: Int = 1 << 16
    ) throws(JSONError) -> ElementStream<Chunks> {
        try ElementStream(Chunks(origin: .file(file), size: chunkSize), pointer, options)
    }

    /// The elements of the array at a JSON Pointer of what comes in chunks, which may be cut anywhere.
    public static func elements<Source: AsyncSequence>(
        at pointer: String, in chunks: Source, options: Options = .init()
    ) throws(JSONError) -> ElementStream<Source> where Source.Element == Data {
        try ElementStream(chunks, pointer, options)
    }
}

extension JSON.ElementStream: Sendable where Chunks: Sendable {}

// An iterator is for one task.
@available(*, unavailable)
extension JSON.ElementStream.Iterator: Sendable {}
