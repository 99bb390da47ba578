import SteplineSupport

/// Somebody who wants to be told of the end.
struct PipelineCallback: Sendable {
    enum Body: Sendable {
        case success(@Sendable (Pipeline, (any Sendable)?) -> Void)
        case failure(@Sendable (Pipeline, PipelineError) -> Void)
        case end(@Sendable (Pipeline, Outcome) -> Void)
    }

    var id: UInt64 = 0
    let owner: OwnerToken
    let context: CallbackContext
    /// The observer of many pipelines that it belongs to; these come before the others of their queue.
    var observer: PipelineObserver.Core?
    let body: Body

    init(owner: OwnerToken, context: CallbackContext, observer: PipelineObserver.Core? = nil, body: Body) {
        self.owner = owner
        self.context = context
        self.observer = observer
        self.body = body
    }

    var isEarly: Bool { observer != nil }

    var isForSuccess: Bool {
        if case .success = body { true } else { false }
    }

    var isForFailure: Bool {
        if case .failure = body { true } else { false }
    }

    var isForEnd: Bool {
        if case .end = body { true } else { false }
    }

    func wants(_ outcome: Outcome) -> Bool {
        switch (body, outcome) {
        case (.end, _), (.success, .succeeded), (.failure, .failed): true
        default: false
        }
    }
}

/// The callbacks due in one place, the next one last.
struct PipelineDelivery {
    /// The number of its first callback.
    ///
    /// Each delivery is worked off by itself: one that is due later, in the same place, must not take turns that
    /// belong to this.
    let id: UInt64
    let context: CallbackContext
    var remaining: [PipelineCallback]
}

extension PipelineState {
    /// Registers a callback; if the pipeline has ended, it is due at once, or never.
    mutating func add(_ callback: PipelineCallback) -> (id: UInt64, PipelineEffects) {
        var effects = PipelineEffects()
        lastCallbackID += 1
        var callback = callback
        callback.id = lastCallbackID
        if case .ended(let outcome) = phase {
            if callback.wants(outcome), callback.isForEnd || !isSilenced {
                deliver([callback], &effects)
                effects.also.outcome = outcome
            } else {
                effects.also.dropped.append(callback)
            }
        } else if cancelReason != nil, !callback.isForEnd {
            effects.also.dropped.append(callback)
        } else {
            observers.append(callback)
        }
        return (lastCallbackID, effects)
    }

    /// Takes callbacks away, due ones too; if the last success observer went so, nobody wants the result.
    mutating func remove(
        _ moment: PipelineMoment, where isMeant: (PipelineCallback) -> Bool
    ) -> PipelineEffects {
        var effects = PipelineEffects()
        for index in deliveries.indices {
            effects.also.dropped += deliveries[index].remaining.filter(isMeant)
            deliveries[index].remaining.removeAll(where: isMeant)
        }
        let removed = observers.filter(isMeant)
        guard !removed.isEmpty else { return effects }
        effects.also.dropped += removed
        observers.removeAll(where: isMeant)
        let tookWish = removed.contains(where: \.isForSuccess)
        guard tookWish, runners == 0, !observers.contains(where: \.isForSuccess) else { return effects }
        var cancellation = cancel(.unwanted, moment)
        cancellation.also.dropped += effects.also.dropped
        return cancellation
    }

    /// Sorts those who are to be told by place: ends first, in order of registration.
    mutating func planDeliveries(_ outcome: Outcome, _ effects: inout PipelineEffects) {
        guard !observers.isEmpty else { return }
        let all = observers
        observers = []
        if all.count == 1, all[0].wants(outcome) { return deliver(all, &effects) }
        let due = all.filter { $0.wants(outcome) }
        effects.also.dropped += all.filter { !$0.wants(outcome) }
        deliver(
            due.filter(\.isEarly) + due.filter { $0.isForEnd && !$0.isEarly } + due.filter { !$0.isForEnd },
            &effects
        )
    }

    private mutating func deliver(_ callbacks: [PipelineCallback], _ effects: inout PipelineEffects) {
        guard callbacks.count > 1 else {
            // The usual case, without the table of places.
            for callback in callbacks { begin(with: callback, &effects) }
            return
        }
        var places: [CallbackContext: Int] = [:]
        let first = deliveries.count
        for callback in callbacks {
            if let place = places[callback.context] {
                deliveries[place].remaining.append(callback)
            } else {
                places[callback.context] = deliveries.count
                begin(with: callback, &effects)
            }
        }
        for place in first..<deliveries.count { deliveries[place].remaining.reverse() }
    }

    private mutating func begin(with callback: PipelineCallback, _ effects: inout PipelineEffects) {
        deliveries.append(
            PipelineDelivery(id: callback.id, context: callback.context, remaining: [callback])
        )
        effects.also.due.append((callback.id, callback.context))
    }

    /// Claims the next callback of a delivery: from here on it counts as begun.
    mutating func claimCallback(of delivery: UInt64) -> PipelineCallback? {
        guard let place = deliveries.firstIndex(where: { $0.id == delivery }) else { return nil }
        if let callback = deliveries[place].remaining.popLast() { return callback }
        deliveries.remove(at: place)
        return nil
    }

    /// Takes back the success and failure callbacks that have not begun.
    mutating func withdrawDeliveries(_ effects: inout PipelineEffects) {
        for index in deliveries.indices {
            effects.also.dropped += deliveries[index].remaining.filter { !$0.isForEnd }
            deliveries[index].remaining.removeAll { !$0.isForEnd }
        }
    }

    mutating func dropResultObservers(_ effects: inout PipelineEffects) {
        effects.also.dropped += observers.filter { !$0.isForEnd }
        observers.removeAll { !$0.isForEnd }
    }
}
