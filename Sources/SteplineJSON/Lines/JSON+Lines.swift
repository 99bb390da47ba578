public import Foundation

extension JSON {
    /// The records of a JSON Lines text, one after the other, in constant memory: from a file, from data, or
    /// from chunks as they arrive.
    ///
    /// ```swift
    /// for try await record in JSON.Lines(contentsOf: url) { … }
    /// for try await record in JSON.Lines(chunks) { … }
    /// ```
    ///
    /// A bad line is a `JSONError` with its number, and ends the sequence. Nothing is read before it is asked
    /// for, and cancelling the task ends it.
    public struct Lines<Chunks: AsyncSequence>: AsyncSequence where Chunks.Element == Data {
        /// A record.
        public typealias Element = JSON

        private let chunks: Chunks
        private let options: Options

        /// The records of what comes in chunks, which may be cut anywhere.
        public init(_ chunks: Chunks, options: Options = .init()) {
            self.chunks = chunks
            self.options = options
        }

        /// Makes an iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(chunks: chunks.makeAsyncIterator(), reader: LineReader(options: options))
        }

        /// Walks the records.
        public struct Iterator: AsyncIteratorProtocol {
            private var chunks: Chunks.AsyncIterator
            private let reader: LineReader
            /// Whether all chunks have come, or an error.
            private var isAtEnd = false
            private var hasFailed = false

            fileprivate init(chunks: Chunks.AsyncIterator, reader: LineReader) {
                self.chunks = chunks
                self.reader = reader
            }

            /// The next record.
            public mutating func next() async throws -> JSON? { try await next(isolation: nil) }

            /// The next record, parsed where the caller runs.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(any Error) -> JSON? {
                while true {
                    guard !Task.isCancelled else { throw CancellationError() }
                    if let record = try record() { return record }
                    guard !isAtEnd else { return nil }
                    if let chunk = try await chunks.next(isolation: actor) {
                        reader.append(chunk)
                    } else {
                        isAtEnd = true
                        reader.end()
                    }
                }
            }

            /// A bad line is the end.
            private mutating func record() throws -> JSON? {
                guard !hasFailed else { return nil }
                do {
                    return try reader.next()
                } catch {
                    hasFailed = true
                    isAtEnd = true
                    throw error
                }
            }
        }
    }
}

extension JSON.Lines: Sendable where Chunks: Sendable {}

// An iterator is for one task.
@available(*, unavailable)
extension JSON.Lines.Iterator: Sendable {}
