public import Foundation
import SteplineSupport

extension JSON {
    /// The records of a text of any size, one at a time, in constant memory.
    ///
    /// ```swift
    /// for try await record in JSON.Stream(of: .lines, in: file) { … }
    /// for try await item in JSON.Stream(of: .elements(at: "/data/items"), from: chunks) { … }
    /// ```
    ///
    /// Iterate the stream with `for try await`, or call ``forEach(_:)``. Nothing is read before it is asked for. Memory
    /// holds a chunk and one record. A malformed record is a `JSONError` with its place in the whole, and ends the
    /// iteration; in `for try await` a cancelled task gets a `CancellationError` before the next record.
    ///
    /// The text is UTF-8. Lines of white space alone are skipped. Of a document with an array all is checked, also what
    /// stands before and behind the array. The elements come before the text behind the array is checked, so an error
    /// there follows all elements. An array that isn't there is `.notFound`, something else in its place
    /// `.wrongKind`, a malformed pointer `.invalidPath`, a file that can't be read `.unreadable`.
    public struct Stream: Sendable {
        let source: ChunkSource
        let records: Records
        let options: Options

        /// The records of a file; the options hold for each record.
        public init(of records: Records, in file: URL, options: Options = .init()) {
            self.init(source: .file(file), records: records, options: options)
        }

        /// The records of data in memory; the options hold for each record.
        public init(of records: Records, in data: Data, options: Options = .init()) {
            self.init(source: .data(data), records: records, options: options)
        }

        /// The records of chunks as they arrive, which may be cut anywhere; the options hold for each record.
        public init<S: AsyncSequence & Sendable>(
            of records: Records, from chunks: S, options: Options = .init()
        ) where S.Element == Data {
            self.init(source: ChunkSource(chunks), records: records, options: options)
        }

        private init(source: ChunkSource, records: Records, options: Options) {
            self.source = source
            self.records = records
            self.options = options
        }

        /// Calls `body` with each record in order, on this thread.
        ///
        /// A cancellation of the Swift task isn't checked: throw from `body` to stop.
        ///
        /// - Throws: The error of `body`, which ends the iteration. `JSONError` for a malformed record, or with the
        ///   code `.unreadable` for a file that can't be read and for chunks that arrive asynchronously.
        public func forEach(_ body: (JSON) throws -> Void) throws {
            if case .chunks = source {
                throw JSONError(.unreadable, message: "Asynchronous chunks can't be read synchronously")
            }
            var chunks = ChunkReader<JSONError>(source)
            let reader = try records.reader(options)
            while let chunk = try chunks.next() { try reader.read(chunk, body) }
            try reader.finish(body)
        }
    }
}

extension JSON.Stream: AsyncSequence {
    /// Reads on when it is asked for the next record.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var chunks: ChunkReader<JSONError>
        private let reader: Result<JSON.RecordReader, JSONError>
        /// Whether all chunks have come.
        private var isAtEnd = false
        /// Whether a record was malformed, or the chunks have ended with an error.
        private var hasFailed = false

        init(_ stream: JSON.Stream) {
            chunks = ChunkReader(stream.source)
            reader = Result { () throws(JSONError) in try stream.records.reader(stream.options) }
        }

        /// The next record, parsed where the caller runs; nil after the last.
        ///
        /// - Throws: `JSONError` for a malformed record or an unreadable file, the error of asynchronous chunks, or
        ///   `CancellationError`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> JSON? {
            while !hasFailed {
                try Task.checkCancellation()
                let reader = try reader.get()
                do {
                    if let record = try reader.next() { return record }
                } catch {
                    hasFailed = true
                    throw error
                }
                guard !isAtEnd else { return nil }
                do {
                    if let chunk = try await chunks.next(isolation: actor) {
                        reader.append(chunk)
                    } else {
                        isAtEnd = true
                        reader.end()
                    }
                } catch {
                    // The part of a record before the error must not be read as a whole one.
                    hasFailed = true
                    throw error
                }
            }
            return nil
        }
    }

    /// Returns an iterator, which starts at the first record of a file or of data.
    ///
    /// Chunks start where their sequence's new iterator starts. A sequence that can be read only once continues where
    /// an earlier iteration left off, possibly within a record, or gives nothing.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

// An iterator is for one task.
@available(*, unavailable)
extension JSON.Stream.AsyncIterator: Sendable {}

extension ChunkReader<JSONError> {
    init(_ source: ChunkSource) {
        self.init(source) { file, error in
            JSONError(.unreadable, message: "Can't read \(file.path)", underlying: error)
        }
    }
}
