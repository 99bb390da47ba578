public import Foundation

extension JSON {
    /// The records of a JSON Lines text in constant memory, from a file, from data or from chunks.
    ///
    /// ```swift
    /// for try await record in JSON.Lines(contentsOf: url) { … }
    /// for try await record in JSON.Lines(chunks) { … }
    /// ```
    ///
    /// A malformed line throws a `JSONError` with its line number and ends the sequence. The source is read on demand.
    /// Cancelling the task ends the sequence.
    public struct Lines<Chunks: AsyncSequence>: AsyncSequence where Chunks.Element == Data {
        /// A record.
        public typealias Element = JSON

        private let chunks: Chunks
        private let options: Options

        /// Makes a sequence of the records in chunks, which may be split anywhere.
        public init(_ chunks: Chunks, options: Options = .init()) {
            self.chunks = chunks
            self.options = options
        }

        /// Makes an iterator.
        public func makeAsyncIterator() -> Iterator {
            Iterator(chunks: chunks.makeAsyncIterator(), reader: LineReader(options: options))
        }

        /// Iterates over the records.
        public struct Iterator: AsyncIteratorProtocol {
            private var chunks: Chunks.AsyncIterator
            private let reader: LineReader
            /// Whether the chunks have ended, or reading has failed.
            private var isAtEnd = false
            private var hasFailed = false

            fileprivate init(chunks: Chunks.AsyncIterator, reader: LineReader) {
                self.chunks = chunks
                self.reader = reader
            }

            /// Returns the next record, or nil at the end.
            public mutating func next() async throws -> JSON? { try await next(isolation: nil) }

            /// Returns the next record, parsed on the caller's actor.
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

            /// Returns the next complete record; a malformed line ends the sequence.
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

// An iterator must not be shared between tasks.
@available(*, unavailable)
extension JSON.Lines.Iterator: Sendable {}
