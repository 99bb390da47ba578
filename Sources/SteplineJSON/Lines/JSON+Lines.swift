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
            fileprivate var chunks: Chunks.AsyncIterator
            fileprivate var reader: LineReader
            private var ready: [JSON] = []
            private var isAtEnd = false
            private var failure: (any Error)?

            fileprivate init(chunks: Chunks.AsyncIterator, reader: LineReader) {
                self.chunks = chunks
                self.reader = reader
            }

            /// The next record.
            public mutating func next() async throws -> JSON? {
                while ready.isEmpty {
                    try Task.checkCancellation()
                    if let failure {
                        self.failure = nil
                        isAtEnd = true
                        throw failure
                    }
                    guard !isAtEnd else { return nil }
                    try await fill()
                }
                return ready.popLast()
            }

            /// Records before a bad line are handed over before its error.
            private mutating func fill() async throws {
                let chunk = try await chunks.next()
                var found: [JSON] = []
                do {
                    if let chunk {
                        try reader.read(chunk) { found.append($0) }
                    } else {
                        isAtEnd = true
                        try reader.finish { found.append($0) }
                    }
                } catch {
                    failure = error
                }
                ready = found.reversed()
            }
        }
    }
}

extension JSON.Lines: Sendable where Chunks: Sendable {}

// An iterator is for one task.
@available(*, unavailable)
extension JSON.Lines.Iterator: Sendable {}
