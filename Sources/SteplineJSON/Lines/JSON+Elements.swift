public import Foundation

extension JSON {
    /// The elements of one array of a document, in constant memory.
    ///
    /// The source is read on demand. An error ends the sequence, as does cancelling the task.
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

        /// Iterates over the elements.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var chunks: Chunks.AsyncIterator
            fileprivate let reader: Result<ElementReader, JSONError>
            private var isAtEnd = false

            fileprivate init(chunks: Chunks.AsyncIterator, reader: Result<ElementReader, JSONError>) {
                self.chunks = chunks
                self.reader = reader
            }

            /// Returns the next element, or nil at the end.
            public mutating func next() async throws -> JSON? { try await next(isolation: nil) }

            /// Returns the next element, parsed on the caller's actor.
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

    /// Returns the elements of an array in a file.
    ///
    /// ```swift
    /// for try await item in try JSON.elements(at: "/data/items", in: file) { … }
    /// ```
    ///
    /// The text is UTF-8, and all of it is validated. Memory holds a chunk and one element, however large the file
    /// is. Iterating throws a `JSONError`: `.notFound` if the array is missing, `.wrongKind` if the value isn't an
    /// array, `.unreadable` if the file can't be read.
    ///
    /// - Parameters:
    ///   - pointer: A JSON Pointer (`/data/items`), empty for the whole document.
    ///   - file: The file.
    ///   - options: The options for each element.
    ///   - chunkSize: The number of bytes to read at once.
    /// - Throws: `JSONError` with the code `.invalidPath` if the pointer is malformed.
    public static func elements(
        at pointer: String, in file: URL, options: Options = .init(), chunkSize: Int = 1 << 16
    ) throws(JSONError) -> ElementStream<Chunks> {
        try ElementStream(Chunks(origin: .file(file), size: chunkSize), pointer, options)
    }

    /// Returns the elements of the array at a JSON Pointer from chunks, which may be split anywhere.
    public static func elements<Source: AsyncSequence>(
        at pointer: String, in chunks: Source, options: Options = .init()
    ) throws(JSONError) -> ElementStream<Source> where Source.Element == Data {
        try ElementStream(chunks, pointer, options)
    }
}

extension JSON.ElementStream: Sendable where Chunks: Sendable {}

// An iterator must not be shared between tasks.
@available(*, unavailable)
extension JSON.ElementStream.Iterator: Sendable {}
