import SteplineSupport

/// The tap of an exchange: whoever can't take more bytes for now closes it, and a transport that can hold its peer
/// back stops reading.
package final class TransportFlow: Sendable {
    private struct State {
        var isHeld = false
        var goOn: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether nothing is to be read.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Asks for no more bytes; some may still come.
    package func hold() {
        state.withLock { $0.isHeld = true }
    }

    /// Asks for more.
    package func release() {
        let goOn = state.withLock { state in
            defer { state.isHeld = false }
            return state.isHeld ? state.goOn : nil
        }
        goOn?()
    }

    /// Sets what is called when reading may go on.
    func onRelease(_ goOn: @escaping @Sendable () -> Void) {
        // What was there before is released after the lock.
        _ = state.withLock { state in
            defer { state.goOn = goOn }
            return state.goOn
        }
    }
}
