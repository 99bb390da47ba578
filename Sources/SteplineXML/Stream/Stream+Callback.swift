package import Foundation
import SteplineSupport

extension XML.Stream {
    /// The action after a record.
    public enum Next: Sendable {
        /// Continue with the next record.
        case more
        /// Stop reading.
        case stop
    }

    /// Calls `body` with each record in order, on this thread.
    ///
    /// An error of `body` is thrown as an ``XMLError`` with the code ``XMLError/Code/record``, the record's line, its
    /// number in ``XMLError/recordsRead``, and the underlying error. A `CancellationError` is thrown unchanged.
    /// Asynchronous chunks throw ``XMLError/Code/misuse``.
    ///
    /// If the current task is cancelled, a `CancellationError` is thrown before the next record. Input without a
    /// further record is read to its end, and nothing is thrown.
    ///
    /// - Parameter body: Processes a record; returns whether to continue.
    /// - Returns: The number of records.
    /// - Throws: An ``XMLError`` or a `CancellationError`.
    @discardableResult
    public func forEach(_ body: (XML.Element) throws -> Next) throws -> Int {
        if case .chunks = source {
            throw XMLError(.misuse, "asynchronous chunks can't be read synchronously")
        }
        let parser = makeParser()
        var reader = ChunkReader<XMLError>(source)
        var count = 0
        var isOver = false
        while !isOver {
            let records: [XML.Element]
            if let piece = parser.hasFailed ? nil : try reader.next() {
                records = try parser.feed(piece)
            } else {
                records = try parser.last()
                isOver = !parser.hasFailed
            }
            for record in records {
                if Task.isCancelled { throw CancellationError() }
                count += 1
                do {
                    if case .stop = try body(record) { return count }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    throw XMLError(
                        .record, "record \(count) failed", line: record.line, recordsRead: count,
                        underlying: error)
                }
            }
        }
        return count
    }
}

extension XML.RecordParser {
    /// Parses the next bytes and returns the completed records in order.
    ///
    /// - Throws: An ``XMLError`` for malformed input or an exceeded limit, once the records before it were returned.
    package func feed(_ data: Data) throws(XMLError) -> [XML.Element] {
        try data.withBytes { (bytes) throws(XMLError) in try feed(UnsafeRawBufferPointer(bytes)) }
    }
}
