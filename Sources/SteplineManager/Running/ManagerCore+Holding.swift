import SteplineEngine
package import SteplineSupport

extension AnyTaskHandle {
    /// Whether the task was added inside a reactor's run.
    package var servesRun: Bool { record.terms.reactor != nil }

    /// The number of the manager.
    package var manager: Int { record.identifier.manager }

    /// Why the task was cancelled; nil if it wasn't.
    package var cancellation: CancellationReason? { control.cancellation(of: record) }

    /// Performs `work` as a run of an interceptor, whose held tasks are then intercepted again, or fail.
    ///
    /// Tasks that `work` adds to this manager begin in spite of suspension and pause.
    ///
    /// - Parameters:
    ///   - interceptor: The interceptor that holds the tasks.
    ///   - limit: The time limit of `work`.
    ///   - work: The work, in a Swift task.
    ///   - ending: Called once, before the held tasks are settled.
    package func holding(
        by interceptor: any AnyObject & Interceptor, atMost limit: Duration,
        for work: @escaping @Sendable () async throws -> Void, ending: @escaping @Sendable () -> Void
    ) {
        control.hold(by: interceptor, atMost: limit, for: work, ending: ending)
    }
}

extension ManagerCore {
    func hold(
        by interceptor: any AnyObject & Interceptor, atMost limit: Duration,
        for work: @escaping @Sendable () async throws -> Void, ending: @escaping @Sendable () -> Void
    ) {
        guard let position = interceptors.firstIndex(where: { ($0 as AnyObject) === interceptor }) else {
            return ending()
        }
        // `reactors.count` marks the work as a run, but is the index of no reactor: all reactors are asked.
        let reactor = reactors.firstIndex { ($0 as AnyObject) === interceptor } ?? reactors.count
        let end = OneShot<Void>()
        let settle: @Sendable (HoldSettlement) -> Void = { settlement in
            // The end of the work and the timer race: the first one settles the tasks.
            guard end.fulfill(()) else { return }
            ending()
            self.update(on: .other) { $0.settleHeld(by: position, settlement, &$1) }
        }
        // Those of the task for which the interceptor calls this.
        let values = PropagatedValues.current
        let body = spawn {
            let place = ManagerPlace(control: self, kind: .run, reactor: reactor)
            do {
                try await ManagerPlace.$current.withValue(place) {
                    try await PropagatedValues.call(with: values) { try await work() }
                }
                settle(.asksAgain)
            } catch {
                settle(.failed(error))
            }
        }
        let timer = clock.scheduleInBackground(after: max(limit, .zero)) {
            // Before the cancellation: work that fails at once would report `failed` instead.
            settle(.timedOut(limit))
            body.cancel()
        }
        // The timer must not outlive the work; the wait for the work costs no thread.
        spawn {
            await body.value
            timer.cancel()
        }
    }
}
