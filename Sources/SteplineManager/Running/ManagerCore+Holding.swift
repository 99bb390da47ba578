import SteplineEngine
package import SteplineSupport

extension AnyTaskHandle {
    /// Whether the task was added inside a reactor's run.
    package var servesRun: Bool { record.terms.reactor != nil }

    /// The number of the manager.
    package var manager: Int { record.identifier.manager }

    /// The reason of the cancellation; nil if the task wasn't cancelled.
    package var cancellation: CancellationReason? { core?.cancellation(of: record) }

    private var core: ManagerCore? { door as? ManagerCore }

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
        let position = core?.interceptors.firstIndex { ($0 as AnyObject) === interceptor }
        guard let core, let position else { return ending() }
        // An interceptor that isn't a reactor gets an index after the last one: its tasks still count as a run's.
        let reactor = core.reactors.firstIndex { ($0 as AnyObject) === interceptor } ?? core.reactors.count
        let isOver = Locked(false)
        let settle: @Sendable (HoldSettlement) -> Void = { settlement in
            // The work and the time limit may both end the run: the first one settles it.
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            guard isFirst else { return }
            // Before settling: tasks that are intercepted again must find the interceptor's run over.
            ending()
            core.update(on: .other) { $0.settleHeld(by: position, settlement, &$1) }
        }
        let body = core.spawn {
            let place = ManagerPlace(door: core, kind: .run, reactor: reactor)
            do {
                try await ManagerPlace.$current.withValue(place) { try await work() }
                settle(.asksAgain)
            } catch {
                settle(.failed(error))
            }
        }
        let timer = core.clock.schedule(after: max(limit, .zero)) {
            settle(.timedOut(limit))
            body.cancel()
        }
        // The timer must not outlive the work; the wait for the work costs no thread.
        core.spawn {
            await body.value
            timer.cancel()
        }
    }
}

extension ManagerCore {
    fileprivate func cancellation(of record: TaskRecord) -> CancellationReason? {
        engine.read { _ in
            if case .cancelled(let reason) = record.ending { reason } else { nil }
        }
    }
}
