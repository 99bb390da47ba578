import SteplineSupport

extension XML.Stream: AsyncSequence {
    /// Reads on when it is asked for the next record.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let parser: XML.RecordParser
        private var reader: ChunkReader<XMLError>
        private var ready: [XML.Element] = []
        private var position = 0
        private var isOver = false

        init(_ stream: XML.Stream) {
            parser = stream.makeParser()
            reader = ChunkReader(stream.source)
        }

        /// The next record, nil after the last.
        ///
        /// - Throws: An ``XMLError`` for malformed input or an unreadable file, the error of asynchronous chunks, or
        ///   `CancellationError`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> XML.Element? {
            while true {
                try Task.checkCancellation()
                if position < ready.count {
                    position += 1
                    return ready[position - 1]
                }
                guard !isOver else { return nil }
                ready = []
                position = 0
                do {
                    try await readOn(isolation: actor)
                } catch {
                    isOver = true
                    throw error
                }
            }
        }

        private mutating func readOn(isolation actor: isolated (any Actor)?) async throws {
            if parser.hasFailed { _ = try parser.last() }
            if let piece = try await reader.next(isolation: actor) {
                ready = try parser.feed(piece)
            } else {
                ready = try parser.last()
                isOver = !parser.hasFailed
            }
        }
    }

    /// Returns an iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
