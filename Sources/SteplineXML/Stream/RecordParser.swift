extension XML {
    /// A push parser for documents that arrive in chunks; returns records as they become complete.
    ///
    /// The synchronous core of ``Stream``. Uses memory for one chunk and one record. Not thread-safe.
    package final class RecordParser {
        private let core: RecordCore
        private var failure: XMLError?
        private var isFinished = false
        /// The number of records returned so far.
        package private(set) var recordsRead = 0

        /// Creates a parser for the elements at a path, as in ``Stream``.
        package init(of path: String, namespaces: [String: String] = [:], options: Options = .streaming) {
            core = RecordCore(RecordPath(path, namespaces: namespaces), options: options)
        }

        /// Parses the next bytes and returns the completed records in order.
        ///
        /// Records before an error are returned first, and the next call throws.
        ///
        /// - Throws: An ``XMLError`` for malformed input or an exceeded limit.
        package func feed(_ bytes: UnsafeRawBufferPointer) throws(XMLError) -> [Element] {
            try step { () throws(XMLError) in
                try core.feed(bytes.assumingMemoryBound(to: UInt8.self), isLast: false)
            }
        }

        /// Parses the next bytes and returns the completed records in order.
        ///
        /// - Throws: An ``XMLError`` for malformed input or an exceeded limit, once the records before it were
        ///   returned.
        package func feed(_ bytes: [UInt8]) throws(XMLError) -> [Element] {
            try bytes.withUnsafeBufferPointer { (bytes) throws(XMLError) in
                try feed(UnsafeRawBufferPointer(bytes))
            }
        }

        /// The records before an error thrown by ``finish()``, which couldn't return them; they count as read.
        package private(set) var rest: [Element] = []

        /// Ends the input and returns the last records; any further call throws ``XMLError/Code/misuse``.
        ///
        /// - Throws: An ``XMLError`` for truncated or otherwise invalid input; records completed in this call are then
        ///   in ``rest``. Any further call throws the same error again.
        package func finish() throws(XMLError) -> [Element] {
            let records = try last()
            guard hasFailed else { return records }
            rest = records
            return try step {}
        }

        /// Ends the input and returns the last records; an error after them is thrown by the next call.
        func last() throws(XMLError) -> [Element] {
            let records = try step { () throws(XMLError) in
                try core.feed(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
            }
            if failure == nil { isFinished = true }
            return records
        }

        /// Performs one step of the parser and returns the records that it completed.
        ///
        /// A step that completes records and fails returns the records; the next step throws the failure. A step that
        /// fails without a record throws at once.
        private func step(_ body: () throws(XMLError) -> Void) throws(XMLError) -> [Element] {
            if var failure {
                failure.recordsRead = recordsRead
                throw failure
            }
            guard !isFinished else {
                throw XMLError(.misuse, "the input was over already", recordsRead: recordsRead)
            }
            do throws(XMLError) { try body() } catch { failure = error }
            let records = core.takeRecords()
            recordsRead += records.count
            if records.isEmpty, failure != nil { return try step {} }
            return records
        }

        /// Whether an error waits until the records before it were returned.
        var hasFailed: Bool { failure != nil }
    }
}
