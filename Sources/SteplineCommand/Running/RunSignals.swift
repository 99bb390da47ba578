import Dispatch
import Foundation
import SteplinePrograms
import SteplineRuns
import SteplineSupport

/// The signals that ask the command to end, heard from before it starts its first program.
///
/// The first has done what was asked for last, and the second ends the process at once; so does the first as long as
/// nothing is asked for. It is one watch for all that the command does: between two, a signal would end the process
/// by default, and leave its programs behind.
final class RunSignals: Sendable {
    private struct State {
        var hasCome = false
        /// What the first does; nil where it ends the process.
        var action: (@Sendable () -> Void)?
    }

    /// How long a screen may take to be closed before the process ends, in milliseconds.
    private static let timeToClose = 200

    private let state: Locked<State>
    private let watch: SignalWatch

    /// Watches for the session's signals until it is stopped; closes the screen, if any, before the process ends.
    init(_ session: Session, closing screen: LiveScreen? = nil) {
        let state = Locked(State())
        self.state = state
        watch = SignalWatch(for: session.signals) { number in
            let action = state.withLock { state in
                state.hasCome = true
                return state.action
            }
            if let action { return action() }
            // The next action gets a signal that was sent within the process.
            guard session.signals == nil else { return }
            Self.endAll(session.programs, screen)
            _exit(128 + number)
        } onSecond: {
            Self.endAll(session.programs, screen)
        }
    }

    /// The signal that came; nil if none has.
    var received: Int32? { watch.received }

    /// What the command ends with once a signal has come.
    var code: ExitCode { received.map(ExitCode.signalled) ?? .interrupted }

    /// Has the first signal do this from now on; at once, if it has come.
    func onFirst(_ action: (@Sendable () -> Void)?) {
        let hasCome = state.withLock { state in
            state.action = action
            return state.hasCome
        }
        if hasCome { action?() }
    }

    /// Does something until it ends or a signal cancels it; nil in that case, once it has ended.
    func interrupting<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let work = Locked<Task<Value, any Error>?>(nil)
        onFirst { work.withLock { $0 }?.cancel() }
        let running = Task { try await body() }
        work.withLock { $0 = running }
        // The signal may have come before there was anything to be cancelled.
        if received != nil { running.cancel() }
        let end = await running.result
        onFirst(nil)
        return received == nil ? try end.get() : nil
    }

    /// Gives the signals back their usual effect.
    func stop() { watch.stop() }

    private static func endAll(_ programs: LivePrograms, _ screen: LiveScreen?) {
        programs.endAll()
        guard let screen else { return }
        // On a terminal that takes nothing, who draws waits for ever, and so would we.
        let isClosed = DispatchSemaphore(value: 0)
        Thread {
            screen.close()
            isClosed.signal()
        }.start()
        _ = isClosed.wait(timeout: .now() + .milliseconds(timeToClose))
    }
}
