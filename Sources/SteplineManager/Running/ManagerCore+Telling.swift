import SteplineEngine
import SteplineSupport

extension ManagerCore {
    /// Tells a task, and those who have registered, of its end.
    func tell(_ news: TaskNews) {
        switch news.thread {
        case .own: tellHere(news)
        case .other: Workers.shared.perform { _ in self.tellHere(news) }
        }
    }

    private func tellHere(_ news: TaskNews) {
        let place = ManagerPlace(door: self, kind: .callback)
        if let error = news.error {
            ManagerPlace.$current.withValue(place) {
                news.record.didCancel(news.leftovers, because: error)
            }
            update { machine, _ in machine.hasTold() }
        }
        for delivery in news.deliveries {
            delivery.place.perform {
                guard case .anywhere = delivery.place else { return self.deliver(delivery, news.record) }
                ManagerPlace.$current.withValue(place) { self.deliver(delivery, news.record) }
            }
        }
    }

    /// Calls what is due in one place, each unless it was withdrawn before.
    private func deliver(_ delivery: Callbacks<Void>.Delivery, _ record: TaskRecord) {
        while let due = engine.claim(delivery.number, of: record) { due.call(()) }
        update(on: .other) { machine, _ in machine.hasTold() }
    }
}

extension Engine<ManagerMachine> {
    /// Takes the next callback of a delivery: from here on it counts as begun.
    fileprivate func claim(_ delivery: UInt64, of record: TaskRecord) -> Callbacks<Void>.Registration? {
        read { _ in record.callbacks.claim(delivery) }
    }
}
