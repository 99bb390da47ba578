public import Foundation

extension XML.Stream {
    /// What to do after a record.
    public enum Next: Sendable {
        /// Go on with the next one.
        case more
        /// Read no further.
        case stop
    }

    /// Calls `body` with each record in order, on this thread, and returns how many there were.
    ///
    /// A throw of `body` ends it with an ``XMLError`` with the code ``XMLError/Code/record`` that has the record's
    /// number in ``XMLError/recordsRead``, its line, and the error beneath; a `CancellationError` comes through as it
    /// is, and is thrown between records if the current task is cancelled. For chunks that arrive asynchronously it
    /// throws ``XMLError/Code/misuse``.
    @discardableResult
    public func forEach(_ body: (XML.Element) throws -> Next) throws -> Int {
        if case .chunks = source {
            throw XMLError(.misuse, "asynchronous chunks can't be read synchronously")
        }
        let parser = makeParser()
        var reader = try PieceReader(source)
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

    /// What `make` makes of each record, in order; records of which it makes nil are left out.
    ///
    /// Throws like ``forEach(_:)``.
    public func collect<R>(_ make: (XML.Element) throws -> R?) throws -> [R] {
        var all: [R] = []
        try forEach { record in
            if let made = try make(record) { all.append(made) }
            return .more
        }
        return all
    }
}

extension XML.RecordParser {
    /// Takes the next bytes, and gives the records that are complete with them, in order.
    public func feed(_ data: Data) throws(XMLError) -> [XML.Element] {
        try data.withBytes { (bytes) throws(XMLError) in try feed(UnsafeRawBufferPointer(bytes)) }
    }
}
