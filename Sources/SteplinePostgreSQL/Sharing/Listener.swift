import Foundation
import SteplineSupport

/// Hears what others on a channel of the server's tell, on a connection and a thread of its own.
final class Listener: Sendable {
    /// For how long it waits before it sees whether it is still wanted.
    private static let pause: Int32 = 300

    private let isOver = Locked(false)
    private let bell = DispatchSemaphore(value: 0)

    /// Calls with the payload of each notice, and with nil where some may have been missed.
    init(
        _ address: Address, lease: Duration, clock: any StepClock, channel: String,
        call: @escaping @Sendable (String?) -> Void
    ) {
        Thread.detachNewThread { [isOver, bell] in
            var pauses = Pauses(clock: clock)
            while !isOver.withLock({ $0 }) {
                guard let session = try? Session(address, lease: lease),
                    (try? session.run("LISTEN \(channel)")) != nil
                else {
                    _ = pauses.wait(for: bell)
                    continue
                }
                pauses = Pauses(clock: clock)
                call(nil)
                while !isOver.withLock({ $0 }), session.awaitNotice(Self.pause, call) {}
            }
        }
    }

    func stop() {
        isOver.withLock { $0 = true }
        bell.signal()
    }
}
