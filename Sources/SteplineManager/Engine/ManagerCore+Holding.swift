import SteplineSupport

extension AnyTaskHandle {
    /// Whether the task was added inside a reactor's run, which it serves.
    package var servesRun: Bool { record.exemptReactor != nil }

    /// The manager's number.
    package var manager: Int { record.identifier.manager }

    /// The reason that somebody gave for the task's end.
    package var endReason: String? { record.core.machine.withLock { _ in record.endError?.reason } }

    /// Runs `work` as a run of the interceptor's; then all that it holds passes the interceptors again, or fails.
    ///
    /// What `work` adds to this manager begins in spite of suspension and pause.
    package func holding(
        by interceptor: any AnyObject & Interceptor, atMost limit: Duration,
        for work: @escaping @Sendable () async throws -> Void, ending: @escaping @Sendable () -> Void
    ) {
        let core = record.core
        guard let position = core.interceptors.firstIndex(where: { ($0 as AnyObject) === interceptor }) else {
            return ending()
        }
        let reactor = core.reactors.firstIndex { ($0 as AnyObject) === interceptor } ?? core.reactors.count
        let isOver = Locked(false)
        let settle: @Sendable (HoldSettlement) -> Void = { settlement in
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            guard isFirst else { return }
            ending()
            core.update(on: .shared) { $0.settleHeld(by: position, settlement) }
        }
        let body = core.spawn {
            let place = ManagerPlace(core: core, kind: .run, reactor: reactor)
            do {
                try await ManagerPlace.$current.withValue(place) { try await work() }
                settle(.asksAgain)
            } catch {
                settle(.failed(error))
            }
        }
        let timer = core.options.clock.schedule(after: max(limit, .zero)) {
            settle(.timedOut(limit))
            body.cancel()
        }
        _Concurrency.Task.detached {
            await body.value
            timer.end()
        }
    }
}
