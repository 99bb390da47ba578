import Dispatch
import Foundation
import SteplinePrograms
import SteplineSupport
import SteplineWorkflow

/// The signals that end the command, watched from before the first program starts.
///
/// The first signal executes the current action, the second ends the process. Without an action the first signal ends
/// the process. One watch serves the whole command: between two watches a signal would kill the process and leave its
/// programs running.
///
/// For a run the action is in `LiveRun.run`: it cancels the workflow, or only this process's work on a durable run. The
/// second signal kills all programs at once and waits for no task. `RunSignals` in `SteplineRuns` is another type: the
/// stored signals of a durable run.
final class RunSignals: Sendable {
    private struct State {
        var hasCome = false
        /// The action of the first signal; nil to end the process.
        var action: (@Sendable () -> Void)?
    }

    /// The longest wait for closing the screen before the process ends, in milliseconds.
    private static let timeToClose = 200

    private let state: Locked<State>
    private let watch: SignalWatch

    /// Watches for the session's signals until `stop()`; closes the screen before the process ends.
    init(_ session: Session, closing screen: LiveScreen? = nil) {
        let state = Locked(State())
        self.state = state
        watch = SignalWatch(for: session.signals) { number in
            let action = state.withLock { state in
                state.hasCome = true
                return state.action
            }
            if let action { return action() }
            // A signal sent within the process waits for the next action.
            guard session.signals == nil else { return }
            Self.endAll(session.programs, screen)
            _exit(128 + number)
        } onSecond: {
            Self.endAll(session.programs, screen)
        }
    }

    /// The number of the first signal; nil if none came.
    var received: Int32? { watch.received }

    /// The exit status after a signal.
    var code: ExitCode { received.map(ExitCode.signalled) ?? .interrupted }

    /// Sets the action of the first signal; executes it at once if the signal has come.
    func onFirst(_ action: (@Sendable () -> Void)?) {
        let hasCome = state.withLock { state in
            state.action = action
            return state.hasCome
        }
        if hasCome { action?() }
    }

    /// Runs a closure; if a signal cancels it, returns nil after its end.
    func interrupting<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let work = Locked<Task<Value, any Error>?>(nil)
        onFirst { work.withLock { $0 }?.cancel() }
        let running = Task { try await body() }
        work.withLock { $0 = running }
        // The signal may have come before the task existed.
        if received != nil { running.cancel() }
        let end = await running.result
        onFirst(nil)
        return received == nil ? try end.get() : nil
    }

    /// Restores the default effect of the signals.
    func stop() { watch.stop() }

    private static func endAll(_ programs: LivePrograms, _ screen: LiveScreen?) {
        programs.endAll()
        guard let screen else { return }
        // Writing to a blocked terminal never returns: close the screen on another thread, with a time limit.
        let isClosed = DispatchSemaphore(value: 0)
        Thread {
            screen.close()
            isClosed.signal()
        }.start()
        _ = isClosed.wait(timeout: .now() + .milliseconds(timeToClose))
    }
}
