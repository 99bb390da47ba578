import Dispatch
import Foundation
import SteplineSupport

#if os(Linux)
    import Synchronization
#endif

/// A watch for the signals that end a process: the first calls `onFirst`, the second ends the process.
///
/// A watch of ``SentSignals`` installs no signal handler, and its second signal doesn't end the process.
package final class SignalWatch: @unchecked Sendable {  // dispatch sources may be used from any thread
    /// The signals that end a process.
    package static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let numbers: [Int32]

    private let sources: [any DispatchSourceSignal]
    private let first = Locked<Int32?>(nil)
    private let sent: SentSignals?

    /// Starts watching until `stop()`.
    ///
    /// - Parameters:
    ///   - sent: The signals to watch; nil for those of the process.
    ///   - numbers: The numbers of the signals.
    ///   - onFirst: Called with the number of the first signal.
    ///   - onSecond: Called before the process ends, for cleanup.
    package init(
        for sent: SentSignals? = nil, _ numbers: [Int32] = SignalWatch.numbers,
        onFirst: @escaping @Sendable (Int32) -> Void,
        onSecond: @escaping @Sendable () -> Void = {}
    ) {
        self.sent = sent
        self.numbers = numbers
        if let sent {
            sources = []
            sent.add(self) { [first] number in
                guard numbers.contains(number) else { return }
                let isFirst = first.withLock { first in
                    defer { if first == nil { first = number } }
                    return first == nil
                }
                isFirst ? onFirst(number) : onSecond()
            }
            return
        }
        let queue = DispatchQueue(label: "stepline.signals", qos: .userInitiated)
        sources = numbers.map { number in
            // Before the source exists: a signal in between must not kill the process.
            EarlySignals.keep(number)
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        for (number, source) in zip(numbers, sources) {
            let hear: @Sendable () -> Void = { [first] in
                let isFirst = first.withLock { first in
                    defer { if first == nil { first = number } }
                    return first == nil
                }
                if isFirst { return onFirst(number) }
                onSecond()
                // `_exit` skips exit handlers, which could block.
                _exit(128 + number)
            }
            source.setEventHandler(handler: hear)
            // Deliver a signal that came before the registration.
            source.setRegistrationHandler { if EarlySignals.take(number) { hear() } }
            source.activate()
        }
    }

    /// The number of the first signal; nil if none came.
    package var received: Int32? { first.withLock { $0 } }

    /// Restores the default actions of the signals.
    package func stop() {
        sent?.remove(self)
        for (number, source) in zip(numbers, sources) {
            // Cancel the source before restoring the default action.
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}

extension SignalWatch {
    /// Runs a closure and cancels it at the first signal; returns 128 plus the signal's number in that case.
    package static func interrupting(
        for sent: SentSignals? = nil, _ body: @escaping @Sendable () async throws -> Int32
    ) async throws -> Int32 {
        let running = Locked<Task<Int32, any Error>?>(nil)
        let signals = SignalWatch(for: sent) { _ in running.withLock { $0 }?.cancel() }
        defer { signals.stop() }
        let task = Task { try await body() }
        // Publish the task before checking for an earlier signal below.
        running.withLock { $0 = task }
        // The signal may have come before the task existed.
        if signals.received != nil { task.cancel() }
        do { return try await task.value } catch let error as CancellationError {
            guard let signal = signals.received else { throw error }
            return 128 + signal
        }
    }
}

/// Signals that a caller sends to work in its own process, instead of process signals.
///
/// A watch that is added after a signal receives the signal at once.
package final class SentSignals: Sendable {
    private struct State {  // in order
        var sent: [Int32] = []
        var watches: [ObjectIdentifier: @Sendable (Int32) -> Void] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// Sends a signal to all watches on the calling thread.
    package func send(_ number: Int32) {
        let watches = state.withLock { state in
            state.sent.append(number)
            return Array(state.watches.values)
        }
        // After unlock: a handler may stop its watch, which takes the lock.
        for hear in watches { hear(number) }
    }

    fileprivate func add(_ watch: SignalWatch, _ hear: @escaping @Sendable (Int32) -> Void) {
        let sent = state.withLock { state in
            state.watches[ObjectIdentifier(watch)] = hear
            return state.sent
        }
        for number in sent { hear(number) }
    }

    fileprivate func remove(_ watch: SignalWatch) {
        _ = state.withLock { $0.watches.removeValue(forKey: ObjectIdentifier(watch)) }
    }
}

/// The signals that arrive before a dispatch source is registered.
///
/// Dispatch registers sources asynchronously. Without this handler such a signal would be lost or kill the process.
private enum EarlySignals {
    #if os(Linux)
        /// A bit for each signal number.
        private static let kept = Atomic<UInt64>(0)

        /// Records the signal until a dispatch source replaces this handler.
        ///
        /// The default action would end the process.
        static func keep(_ number: Int32) {
            // Initialize `kept` before the handler uses it: lazy initialization isn't safe in a signal handler.
            _ = kept.bitwiseAnd(~(1 << UInt64(number)), ordering: .sequentiallyConsistent)
            signal(number) { number in
                _ = EarlySignals.kept.bitwiseOr(1 << UInt64(number), ordering: .sequentiallyConsistent)
            }
        }

        /// Returns whether the signal has arrived, and clears its bit.
        static func take(_ number: Int32) -> Bool {
            let bit: UInt64 = 1 << UInt64(number)
            return kept.bitwiseAnd(~bit, ordering: .sequentiallyConsistent).oldValue & bit != 0
        }
    #else
        // On Apple's systems dispatch sources also receive ignored signals.
        static func keep(_ number: Int32) { signal(number, SIG_IGN) }

        static func take(_ number: Int32) -> Bool { false }
    #endif
}
