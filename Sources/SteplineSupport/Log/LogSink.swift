/// The destination of a log's records.
public protocol LogSink: Sendable {
    /// Writes a record; never called under a lock, and never concurrently by one log.
    func write(_ record: LogRecord)
}

/// A sink created from a closure.
struct ClosureSink: LogSink {
    let body: @Sendable (LogRecord) -> Void

    func write(_ record: LogRecord) { body(record) }
}

/// The identity of a sink in a log.
public struct LogSinkID: Sendable, Hashable {
    let number: Int
}
