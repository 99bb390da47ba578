import Dispatch
import Foundation
import SteplineSupport

/// Hears the signals that ask a process to end: the first is told, the second ends the process at once.
package final class SignalWatch: @unchecked Sendable {  // dispatch sources may be used from any thread
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let sources: [any DispatchSourceSignal]
    private let first = Locked<Int32?>(nil)

    /// Watches until it is stopped; `onFirst` gets the number, `onSecond` may clear up.
    package init(
        onFirst: @escaping @Sendable (Int32) -> Void, onSecond: @escaping @Sendable () -> Void = {}
    ) {
        let queue = DispatchQueue(label: "stepline.signals", qos: .userInitiated)
        sources = Self.numbers.map { number in
            // The default action would end the process before anybody is told.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        for (number, source) in zip(Self.numbers, sources) {
            source.setEventHandler { [first] in
                let isFirst = first.withLock { first in
                    defer { if first == nil { first = number } }
                    return first == nil
                }
                if isFirst { return onFirst(number) }
                onSecond()
                _exit(128 + number)
            }
            source.activate()
        }
    }

    /// The signal that came; nil if none has.
    package var received: Int32? { first.withLock { $0 } }

    /// Gives the signals back their usual effect.
    package func stop() {
        for (number, source) in zip(Self.numbers, sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}

extension SignalWatch {
    /// Does something until it ends or a signal asks the process to; the code is then 128 and its number.
    package static func interrupting(
        _ body: @escaping @Sendable () async throws -> Int32
    ) async throws -> Int32 {
        let task = Task { try await body() }
        let signals = SignalWatch { _ in task.cancel() }
        defer { signals.stop() }
        do { return try await task.value } catch let error as CancellationError {
            guard let signal = signals.received else { throw error }
            return 128 + signal
        }
    }
}
