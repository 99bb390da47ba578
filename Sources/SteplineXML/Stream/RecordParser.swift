extension XML {
    /// Takes a document in chunks and gives back its records as they become complete.
    ///
    /// The synchronous core of ``Stream``: whoever feeds it sets the pace. Memory is that of one chunk and one record.
    /// Not for several threads at once.
    public final class RecordParser {
        private let core: RecordCore
        private var failure: XMLError?
        private var isFinished = false
        /// How many records have been handed out.
        public private(set) var recordsRead = 0

        /// Makes a parser for the elements that `path` tells: `item`, `channel/item`, `/rss/channel/item`, `a:entry`.
        ///
        /// A path that starts with a slash begins at the root, any other fits anywhere. Prefixes are those of
        /// `namespaces`, or else as written in the document. An element inside a record is part of it only.
        public init(of path: String, namespaces: [String: String] = [:], options: Options = .streaming) {
            core = RecordCore(RecordPath(path, namespaces: namespaces), options: options)
        }

        /// Takes the next bytes, and gives the records that are complete with them, in order.
        ///
        /// Throws for malformed input or a limit. Records before the fault are given first, and the next call throws.
        public func feed(_ bytes: UnsafeRawBufferPointer) throws(XMLError) -> [Element] {
            try step { () throws(XMLError) in
                try core.feed(bytes.assumingMemoryBound(to: UInt8.self), isLast: false)
            }
        }

        /// Takes the next bytes, and gives the records that are complete with them, in order.
        public func feed(_ bytes: [UInt8]) throws(XMLError) -> [Element] {
            try bytes.withUnsafeBufferPointer { (bytes) throws(XMLError) in
                try feed(UnsafeRawBufferPointer(bytes))
            }
        }

        /// The records before the fault that ``finish()`` has thrown, which it could give to nobody; they count as read.
        public private(set) var rest: [Element] = []

        /// Tells that the input is over, and gives the last records.
        ///
        /// Throws if the input was cut off or anything else was wrong with it; records that came with that are in ``rest``.
        public func finish() throws(XMLError) -> [Element] {
            let records = try last()
            guard hasFailed else { return records }
            rest = records
            return try step {}
        }

        /// Tells that the input is over, and gives the last records; a fault behind them is thrown by the next call.
        func last() throws(XMLError) -> [Element] {
            let records = try step { () throws(XMLError) in
                try core.feed(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
            }
            if failure == nil { isFinished = true }
            return records
        }

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

        /// Whether an error waits until the records before it have been taken.
        var hasFailed: Bool { failure != nil }
    }
}
