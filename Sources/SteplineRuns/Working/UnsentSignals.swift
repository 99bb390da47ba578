import SteplineSupport
import SteplineWorkflow

/// Sends the signals of conditions that are fulfilled on a worker, and keeps those that the store could not take.
///
/// A signal of a body is kept until an attempt of the body finishes: ``sendAgain(of:_:)``. Any other one, of a thread
/// or a callback, is kept until the worker's thread has sent it: ``sendRest()``.
final class UnsentSignals: Sendable {
    /// A task whose body has fulfilled a condition.
    struct Body: Hashable {
        let workflow: ObjectIdentifier
        let number: Int
    }

    private struct Unsent {
        let signal: RunSignal
        let run: RunID
    }

    private let store: any RunStore
    private let clock: any StepClock
    private let news: @Sendable () -> Void
    private let all = Locked<[Body?: [Unsent]]>([:])

    /// `news` is called, on any thread, when ``sendRest()`` has something to send.
    init(to store: any RunStore, clock: any StepClock, news: @escaping @Sendable () -> Void) {
        self.store = store
        self.clock = clock
        self.news = news
    }

    /// Sends a signal, or keeps it for the body that the caller runs in.
    func send(_ signal: RunSignal, to run: RunID) {
        let unsent = Unsent(signal: signal, run: run)
        do { try send(unsent) } catch {
            let body = Workflow.currentBody.map { Body(workflow: $0.workflow, number: $0.number) }
            all.withLock { $0[body, default: []].append(unsent) }
            // No later end of a body sends this signal: wake the worker's thread.
            if body == nil { news() }
        }
    }

    /// Sends what a body's attempt has left unsent; throws if the store can't take it.
    func sendAgain(of workflow: ObjectIdentifier, _ number: Int) throws {
        // Called at the end of each finished body: usually there is nothing to send.
        if all.withLock(\.isEmpty) { return }
        try sendAgain(Body(workflow: workflow, number: number))
    }

    /// Whether ``sendRest()`` has something to send.
    var isRestLeft: Bool { all.withLock { $0[nil] != nil } }

    /// How soon ``sendRest()`` is to be tried again; nil if it has nothing to send.
    var rest: Duration? { isRestLeft ? .seconds(1) : nil }

    /// Sends what no body waits for; what the store can't take is left.
    func sendRest() {
        guard isRestLeft else { return }
        // After an error the signals stay. `rest` schedules the next try.
        do { try sendAgain(nil) } catch {}
    }

    /// Throws if the store has not taken all that no body waits for.
    func expectRestSent() throws {
        guard let rest = all.withLock({ $0[nil] }), case .fulfil(let name, _)? = rest.first?.signal else {
            return
        }
        throw RunStoreError(
            .unavailable, store: store.name, "condition \"\(name)\" was fulfilled, and that could not be kept"
        )
    }

    // Sent in their order: the first signal for a condition counts.
    private func sendAgain(_ body: Body?) throws {
        while let unsent = all.withLock({ $0[body]?.first }) {
            // A forgotten run has no use for the signal, which would block all later ones.
            do { try send(unsent) } catch let error as RunStoreError where error.code == .noSuchRun {}
            // Remove after sending: an error must leave the signal first in line.
            all.withLock { all in
                all[body]?.removeFirst()
                if all[body]?.isEmpty == true { all[body] = nil }
            }
        }
    }

    private func send(_ unsent: Unsent) throws {
        _ = try store.send(unsent.signal, to: unsent.run, at: clock.now)
    }
}
