import Foundation
import Synchronization

/// A log with levels, tags, filters and sinks.
///
///     let id = StepLog.shared.addSink { record in print(record.line) }
///     StepLog.shared.info("loaded \(count) feeds", tags: ["feed"])
///
/// Without sinks and history, an unforced message costs one branch, and its text is never built.
///
/// Any thread may log. Records are queued under the lock and delivered by one thread at a time, without the lock. A
/// synchronous log delivers on the logging thread, unless another thread is delivering already.
public final class StepLog: Sendable {
    /// The default log of the library: synchronous, and silent without sinks.
    public static let shared = StepLog(synchronous: true)

    /// The maximum number of lines in ``history``.
    public let historySize: Int
    private let isSynchronous: Bool
    private let start = ContinuousClock.now
    let state = Locked(LogState())
    private let isOn = Atomic(true)
    private let minimum: Atomic<Int>
    /// Whether an unforced message has a destination.
    let hasReaders: Atomic<Bool>

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - historySize: The maximum number of lines in ``history``.
    ///   - synchronous: Whether a call returns after the delivery of its record. If another thread is delivering, that
    ///     thread delivers this record too.
    ///   - minimumLevel: The lowest level to log.
    public init(historySize: Int = 0, synchronous: Bool = false, minimumLevel: Level = .verbose) {
        self.historySize = max(historySize, 0)
        isSynchronous = synchronous
        minimum = Atomic(minimumLevel.rawValue)
        hasReaders = Atomic(historySize > 0)
    }

    /// Whether unforced messages are logged.
    public var isEnabled: Bool {
        get { isOn.load(ordering: .relaxed) }
        set { isOn.store(newValue, ordering: .relaxed) }
    }

    /// The lowest level to log.
    public var minimumLevel: Level {
        // Stored from a level only.
        get { Level(rawValue: minimum.load(ordering: .relaxed)) ?? .verbose }
        set { minimum.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Whether lines contain the tags.
    public var outputsTags: Bool {
        get { state.withLock { $0.showsTags } }
        set { state.withLock { $0.showsTags = newValue } }
    }

    /// Returns whether a message of this level has a destination.
    @inline(__always)
    package func isLogging(_ level: Level = .info) -> Bool {
        hasReaders.load(ordering: .relaxed) && level.rawValue >= minimum.load(ordering: .relaxed) && isEnabled
    }

    /// Logs a message; its text is built only if it has a destination.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - message: The text.
    ///   - from: The caller's object, whose type name filters can match.
    ///   - tags: The tags.
    ///   - metadata: Further values by name.
    ///   - source: The module of the caller.
    ///   - force: Whether the line is written to standard output regardless of filters, sinks and ``isEnabled``.
    ///   - file: The file of the caller.
    ///   - function: The function of the caller.
    ///   - line: The line of the caller.
    public func log(
        _ level: Level = .info, _ message: @autoclosure () -> String, from: Any? = nil, tags: [String] = [],
        metadata: [String: String] = [:], source: String = "", force: Bool = false, file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) {
        #if !DEBUG
            if level == .debug { return }
        #endif
        // Cheap checks first: most messages end here.
        guard force || isLogging(level) else { return }
        let record = LogRecord(
            level: level, message: message(), tags: tags, metadata: metadata, source: source, file: file,
            function: function, lineNumber: line, time: ContinuousClock.now - start,
            isOnMainThread: Thread.isMainThread, thread: UInt64(currentThread()),
            showsTags: outputsTags)
        if force { FileHandle.standardOutput.write(Data((record.line + "\n").utf8)) }
        let sender = from.map { String(describing: type(of: $0)) }
        let mustDeliver = state.withLock { state in
            let words = {
                record.tags + [
                    record.shortFunction, record.shortFile, record.isOnMainThread ? "UI" : "BG",
                    level.letter,
                ] + (sender.map { [$0] } ?? [])
            }
            guard state.lets(words()) else { return false }
            state.remember(record.line, most: historySize)
            guard !state.sinks.isEmpty else { return false }
            state.queue.append(record)
            // A delivering thread takes this record with its next batch.
            guard !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        guard mustDeliver else { return }
        if isSynchronous { deliver() } else { DispatchQueue.global(qos: .utility).async { self.deliver() } }
    }

    /// Delivers pending records one by one; a record that a sink logs follows the current one.
    private func deliver() {
        while true {
            let (batch, sinks, done) = state.withLock { state in
                defer { state.queue = [] }
                guard state.queue.isEmpty else {
                    return (state.queue, state.sinks.map(\.sink), [@Sendable () -> Void]())
                }
                // The flag is cleared under the lock that found the queue empty, so no record is left behind.
                state.isDelivering = false
                defer { state.flushing = [] }
                return ([], [], state.flushing)
            }
            for record in batch { for sink in sinks { sink.write(record) } }
            if batch.isEmpty {
                for wake in done { wake() }
                return
            }
        }
    }
}
