import SteplineEngine
import SteplineSupport

/// Messages of handles and bodies to their manager.
extension ManagerCore: TaskControl {
    var isOwned: Bool { engine.read { !$0.isReleased } }

    func state(of record: TaskRecord) -> TaskState { engine.read { $0.state(of: record) } }

    func attempt(of record: TaskRecord) -> Int { engine.read { _ in record.attemptNumber } }

    func explanation(of record: TaskRecord) -> Explanation {
        // The clock and the text of an error are user code: only the facts are read under the lock.
        let now = engineClock.now()
        return engine.read { $0.facts(of: record) }.explanation(at: now)
    }

    func states(of record: TaskRecord) -> EventStream<TaskState> {
        let stream = EventStream<TaskState>()
        update { _, turn in
            record.states.add(stream)
            // An ended record sends no further states.
            if record.stage.end != nil { record.states.finish(&turn) }
        }
        return stream
    }

    func start(_ record: TaskRecord) { update(on: .other) { $0.start(record, byHand: true, &$1) } }

    func setPriority(of record: TaskRecord, to priority: Priority) {
        update(on: .other) { $0.setPriority(record, priority, &$1) }
    }

    func cancel(_ record: TaskRecord, _ reason: CancellationReason) -> Bool {
        update { machine, turn in
            if machine.cancel(record, reason, &turn) { return true }
            // The outcome stands. On this thread's queue no callback may begin after this call.
            record.callbacks.remove(&turn) { $0.kind != .end && $0.place.isHere }
            return false
        }
    }

    func outcome<Success>(of record: TypedRecord<Success>) -> Outcome<Success>? {
        engine.read { _ in record.outcome }
    }

    func cancellation(of record: TaskRecord) -> CancellationReason? {
        engine.read { _ in
            if case .cancelled(let reason) = record.ending { reason } else { nil }
        }
    }

    func add(_ callback: Callbacks<Void>.Registration, to record: TaskRecord) -> Subscription {
        // Before the callback can run: `cancel` recognizes its own queue by this mark.
        callback.place.mark()
        let number = update { $0.add(callback, to: record, &$1) }
        return Subscription {
            self.update(on: .other) { _, turn in _ = record.callbacks.remove(number, &turn) }
        }
    }

    func removeCallbacks(of owner: AnyObject, from record: TaskRecord) {
        update(on: .other) { _, turn in
            record.callbacks.remove(&turn) { $0.owner.belongs(to: owner) }
        }
    }

    func addWaiter(_ waiter: any Waiter, to record: TaskRecord) -> Bool {
        if engine.read({ _ in record.addWaiter(waiter) }) { return true }
        // The task has ended, but the line about its end may not be written yet.
        guard log.isLogging(.error) else { return false }
        return update { $0.wakesLater(waiter, &$1) }
    }

    func removeWaiter(_ waiter: any Waiter, from record: TaskRecord) {
        engine.read { _ in record.removeWaiter(waiter) }
    }

    func lendSlot(of record: TaskRecord, attempt: UInt32) {
        update { $0.lend(record, attempt: attempt, &$1) }
    }

    func takeBackSlot(of record: TaskRecord, attempt: UInt32) {
        update { machine, _ in machine.takeBack(record, attempt: attempt) }
    }

    func codeReturned(_ record: TaskRecord, attempt: UInt32) {
        update(on: .other) { machine, _ in machine.codeReturned(record, attempt: attempt) }
    }

    func tellLateEnd(of record: TaskRecord, attempt: UInt32) {
        update { $0.tell(.lateEnd, of: record, attempt: Int(attempt), &$1) }
    }
}
