/// Where a log's records go.
public protocol LogSink: Sendable {
    /// Takes one record; never called under a lock, and never twice at once by one log.
    func write(_ record: LogRecord)
}

/// A sink made of a closure.
struct ClosureSink: LogSink {
    let body: @Sendable (LogRecord) -> Void

    func write(_ record: LogRecord) { body(record) }
}

/// Which sink of a log is meant.
public struct LogSinkID: Sendable, Hashable {
    let number: Int
}
