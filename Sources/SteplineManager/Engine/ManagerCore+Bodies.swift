import SteplineSupport

extension ManagerCore {
    /// Starts the clock of an attempt whose body begins.
    func limit(_ record: TaskRecord, attempt: Int, to limit: Duration) {
        let number = machine.withLock { _ -> Int? in
            guard record.outcome == nil, record.attempt == attempt else { return nil }
            record.timeout = limit
            record.timer.number += 1
            return record.timer.number
        }
        if let number { schedule(.record(record, number: number), after: max(limit, .zero)) }
    }

    func begin(_ order: ManagerEffects.RunOrder) {
        let reactor = reactors[order.reactor]
        let place = ManagerPlace(core: self, kind: .run, reactor: order.reactor)
        let body = spawn {
            let error: (any Error)? = await ManagerPlace.$current.withValue(place) {
                do {
                    try await reactor.execute(order.run)
                    return nil
                } catch {
                    return error
                }
            }
            self.update(on: .shared) { $0.runEnded(reactor: order.reactor, number: order.run.number, error) }
        }
        let isOver = machine.withLock { machine in
            guard machine.reactors[order.reactor].run?.number == order.run.number else { return true }
            machine.reactors[order.reactor].body = body
            return false
        }
        if isOver { body.cancel() }
    }

    /// Starts a Swift task that inherits nothing of where it was started.
    @discardableResult
    func spawn(_ body: @escaping @Sendable () async -> Void) -> _Concurrency.Task<Void, Never> {
        guard let executor = options.executor else { return _Concurrency.Task.detached(operation: body) }
        return _Concurrency.Task.detached(executorPreference: executor, operation: body)
    }
}
