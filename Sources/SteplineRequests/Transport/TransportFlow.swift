import SteplineSupport

/// The flow control of an exchange: a reader holds the bytes back, and the transport stops reading.
package final class TransportFlow: Sendable {
    private struct State {
        var isHeld = false
        var resume: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the transport must not read.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Holds further bytes back; some may still arrive.
    package func hold() {
        state.withLock { $0.isHeld = true }
    }

    /// Requests further bytes.
    package func release() {
        let resume = state.withLock { state in
            defer { state.isHeld = false }
            // A release without a hold must not resume a transfer that was never paused.
            return state.isHeld ? state.resume : nil
        }
        // Called without the lock, because the transport takes its own locks.
        resume?()
    }

    /// Sets the closure to call when reading may continue.
    func onRelease(_ resume: @escaping @Sendable () -> Void) {
        // Release the previous closure after unlock.
        _ = state.withLock { state in
            defer { state.resume = resume }
            return state.resume
        }
    }
}
