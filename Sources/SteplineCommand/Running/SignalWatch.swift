import Dispatch
import Foundation
import SteplineSupport

/// Hears the signals that ask a process to end: the first is told, the second ends the process at once.
final class SignalWatch: @unchecked Sendable {  // dispatch sources may be used from any thread
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let sources: [any DispatchSourceSignal]
    private let first = Locked<Int32?>(nil)

    /// Watches until it is stopped; `onFirst` gets the number, `onSecond` may clear up the terminal.
    init(onFirst: @escaping @Sendable (Int32) -> Void, onSecond: @escaping @Sendable () -> Void) {
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
    var received: Int32? { first.withLock { $0 } }

    /// Gives the signals back their usual effect.
    func stop() {
        for (number, source) in zip(Self.numbers, sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}
