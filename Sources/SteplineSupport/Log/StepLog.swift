import Foundation
import Synchronization

/// A log with levels, tags, filters and sinks.
///
///     let id = StepLog.shared.addSink { record in print(record.line) }
///     StepLog.shared.info("loaded \(count) feeds", tags: ["feed"])
///
/// Without sinks and history a message that isn't forced costs one branch: its text is never built.
public final class StepLog: Sendable {
    /// The log that the library uses unless told otherwise: synchronous, and silent without sinks.
    public static let shared = StepLog(synchronous: true)

    /// How many lines ``history`` keeps.
    public let historySize: Int
    private let isSynchronous: Bool
    private let minimum: Level
    private let start = ContinuousClock.now
    let state = Locked(LogState())
    private let isOn = Atomic(true)
    /// Whether anybody would see an unforced message.
    let hasReaders: Atomic<Bool>

    /// Makes a log; a synchronous one has delivered a record before the call returns.
    ///
    /// Unless another thread is just delivering: then that one delivers this record, too, behind what it has.
    public init(historySize: Int = 0, synchronous: Bool = false, minimumLevel: Level = .verbose) {
        self.historySize = max(historySize, 0)
        isSynchronous = synchronous
        minimum = minimumLevel
        hasReaders = Atomic(historySize > 0)
    }

    /// Whether unforced messages are let through, from now on.
    public var isEnabled: Bool {
        get { isOn.load(ordering: .relaxed) }
        set { isOn.store(newValue, ordering: .relaxed) }
    }

    /// Whether lines tell the tags given with them.
    public var outputsTags: Bool {
        get { state.withLock { $0.showsTags } }
        set { state.withLock { $0.showsTags = newValue } }
    }

    /// Whether a message of this level would go anywhere.
    @inline(__always)
    package func isLogging(_ level: Level = .info) -> Bool {
        hasReaders.load(ordering: .relaxed) && level >= minimum && isEnabled
    }

    /// Logs a message; its text is built only if somebody sees it.
    ///
    /// A forced one goes to standard output whatever filters, sinks and switch say.
    public func log(
        _ level: Level = .info, _ message: @autoclosure () -> String, from: Any? = nil, tags: [String] = [],
        metadata: [String: String] = [:], source: String = "", force: Bool = false, file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) {
        #if !DEBUG
            if level == .debug { return }
        #endif
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
            guard !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        guard mustDeliver else { return }
        if isSynchronous { deliver() } else { DispatchQueue.global(qos: .utility).async { self.deliver() } }
    }

    /// Hands on what waits, one by one; a record that a sink logs follows its own.
    private func deliver() {
        while true {
            let (batch, sinks, done) = state.withLock { state in
                defer { state.queue = [] }
                guard state.queue.isEmpty else {
                    return (state.queue, state.sinks.map(\.sink), [@Sendable () -> Void]())
                }
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
