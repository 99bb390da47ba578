import Foundation
import SteplineSupport

/// A subscription to a notification channel, on a connection and a thread of its own.
///
/// The thread ends within 300 ms after `stop()`.
final class Listener: Sendable {
    /// The longest wait in milliseconds before checking for `stop()`.
    private static let pause: Int32 = 300

    private let isOver = Locked(false)
    private let bell = DispatchSemaphore(value: 0)

    /// Starts listening; `call` receives each payload, and nil when notifications may have been missed.
    init(
        _ address: Address, lease: Duration, clock: any StepClock, channel: String,
        call: @escaping @Sendable (String?) -> Void
    ) {
        Thread.detachNewThread { [isOver, bell] in
            // Without a limit: only `stop()` ends the attempts.
            var pauses = Pauses(clock: clock)
            while !isOver.withLock({ $0 }) {
                guard let session = try? Session(address, lease: lease),
                    (try? session.run("LISTEN \(channel)")) != nil
                else {
                    _ = pauses.wait(for: bell)
                    continue
                }
                pauses = Pauses(clock: clock)
                // After each connection: notifications before LISTEN were missed.
                call(nil)
                var isConnected = true
                while isConnected, !isOver.withLock({ $0 }) {
                    isConnected = withAutoreleasePool { session.awaitNotice(Self.pause, call) }
                }
            }
        }
    }

    func stop() {
        isOver.withLock { $0 = true }
        bell.signal()
    }
}
