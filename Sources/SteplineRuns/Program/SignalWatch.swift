import Dispatch
import Foundation
import SteplineSupport

#if os(Linux)
    import Synchronization
#endif

/// Watches for signals that ask to end: `onFirst` gets the first, the second ends the process at once.
///
/// A watch of ``SentSignals`` installs no handler in the process, and its second signal ends nothing by itself.
package final class SignalWatch: @unchecked Sendable {  // dispatch sources may be used from any thread
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let sources: [any DispatchSourceSignal]
    private let first = Locked<Int32?>(nil)
    private let sent: SentSignals?

    /// Watches until it is stopped; `onFirst` gets the number, `onSecond` may clean up.
    ///
    /// - Parameter sent: The signals to watch for; nil for those of the process.
    package init(
        for sent: SentSignals? = nil, onFirst: @escaping @Sendable (Int32) -> Void,
        onSecond: @escaping @Sendable () -> Void = {}
    ) {
        self.sent = sent
        if let sent {
            sources = []
            sent.add(self) { [first] number in
                let isFirst = first.withLock { first in
                    defer { if first == nil { first = number } }
                    return first == nil
                }
                isFirst ? onFirst(number) : onSecond()
            }
            return
        }
        let queue = DispatchQueue(label: "stepline.signals", qos: .userInitiated)
        sources = Self.numbers.map { number in
            EarlySignals.keep(number)
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        for (number, source) in zip(Self.numbers, sources) {
            let hear: @Sendable () -> Void = { [first] in
                let isFirst = first.withLock { first in
                    defer { if first == nil { first = number } }
                    return first == nil
                }
                if isFirst { return onFirst(number) }
                onSecond()
                _exit(128 + number)
            }
            source.setEventHandler(handler: hear)
            source.setRegistrationHandler { if EarlySignals.take(number) { hear() } }
            source.activate()
        }
    }

    /// The signal that came; nil if none has.
    package var received: Int32? { first.withLock { $0 } }

    /// Restores the default actions of the signals.
    package func stop() {
        sent?.remove(self)
        for (number, source) in zip(Self.numbers, sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}

extension SignalWatch {
    /// Runs `body`, and cancels it when a signal comes; returns 128 plus the signal's number in that case.
    package static func interrupting(
        for sent: SentSignals? = nil, _ body: @escaping @Sendable () async throws -> Int32
    ) async throws -> Int32 {
        let running = Locked<Task<Int32, any Error>?>(nil)
        let signals = SignalWatch(for: sent) { _ in running.withLock { $0 }?.cancel() }
        defer { signals.stop() }
        let task = Task { try await body() }
        running.withLock { $0 = task }
        if signals.received != nil { task.cancel() }
        do { return try await task.value } catch let error as CancellationError {
            guard let signal = signals.received else { throw error }
            return 128 + signal
        }
    }
}

/// Signals that a caller sends to work in its own process, in place of the process's signals.
///
/// A watch that is added after a signal was sent gets the signal at once.
package final class SentSignals: Sendable {
    private struct State {
        var sent: [Int32] = []
        var watches: [ObjectIdentifier: @Sendable (Int32) -> Void] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// Sends a signal to all watches, on this thread.
    package func send(_ number: Int32) {
        let watches = state.withLock { state in
            state.sent.append(number)
            return Array(state.watches.values)
        }
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

/// Signals that come before a source hears them.
///
/// Until it is registered, which Dispatch does by and by, nobody else would.
private enum EarlySignals {
    #if os(Linux)
        /// A bit for each number.
        private static let kept = Atomic<UInt64>(0)

        /// Notes the signal when it comes, until a source has its own handler take this one's place.
        ///
        /// The default action would end the process before anybody is told.
        static func keep(_ number: Int32) {
            // What is looked at in the handler must be there before.
            _ = kept.bitwiseAnd(~(1 << UInt64(number)), ordering: .sequentiallyConsistent)
            signal(number) { number in
                _ = EarlySignals.kept.bitwiseOr(1 << UInt64(number), ordering: .sequentiallyConsistent)
            }
        }

        /// Whether the signal has come.
        static func take(_ number: Int32) -> Bool {
            let bit: UInt64 = 1 << UInt64(number)
            return kept.bitwiseAnd(~bit, ordering: .sequentiallyConsistent).oldValue & bit != 0
        }
    #else
        /// Sources hear of signals that are ignored as well.
        static func keep(_ number: Int32) { signal(number, SIG_IGN) }

        static func take(_ number: Int32) -> Bool { false }
    #endif
}
