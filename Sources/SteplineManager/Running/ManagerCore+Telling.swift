import SteplineEngine
import SteplineSupport

extension ManagerCore {
    /// Notifies a task and its callbacks of the end.
    func tell(_ news: TaskNews) {
        switch news.thread {
        case .own: tellHere(news)
        case .other: Workers.shared.perform { _ in self.tellHere(news) }
        }
    }

    private func tellHere(_ news: TaskNews) {
        PropagatedValues.call(with: news.record.terms.values) { notify(news) }
    }

    private func notify(_ news: TaskNews) {
        let place = ManagerPlace(control: self, kind: .callback)
        if let error = news.error {
            ManagerPlace.$current.withValue(place) {
                news.record.didCancel(news.leftovers, because: error)
            }
            update { machine, _ in machine.hasNotified() }
        }
        for delivery in news.deliveries {
            delivery.place.perform {
                // Only code on this thread counts as a manager's callback, where waiting is forbidden.
                guard case .anywhere = delivery.place else { return self.deliver(delivery, news.record) }
                ManagerPlace.$current.withValue(place) { self.deliver(delivery, news.record) }
            }
        }
    }

    /// Calls the due callbacks of one place, except those that were removed.
    private func deliver(_ delivery: Callbacks<Void>.Delivery, _ record: TaskRecord) {
        // Claimed one at a time: a callback may remove the ones after it.
        while let due = engine.claim(delivery.number, of: record) { due.call(()) }
        update(on: .other) { machine, _ in machine.hasNotified() }
    }
}

extension Engine<ManagerMachine> {
    /// Claims the next callback of a delivery, after which it can't be removed.
    fileprivate func claim(_ delivery: UInt64, of record: TaskRecord) -> Callbacks<Void>.Registration? {
        read { _ in record.callbacks.claim(delivery) }
    }
}
