import SteplineSupport

extension Pipeline {
    /// Everything that happens from now on, in one order; the stream finishes after `ended`.
    ///
    /// Each use of this property is a reader of its own, which joins at that moment; after the end it gets the
    /// `ended` event alone. Only progress is coalesced while a reader lags. Without readers no event is made.
    public var events: some AsyncSequence<PipelineEvent, Never> & Sendable {
        let stream = EventStream<PipelineEvent>()
        let wantsWatchdog = machine.withLock { machine in
            guard case .ended(let outcome) = machine.phase else {
                machine.readers.add(stream)
                return machine.isExecuting && machine.callsWatchdog()
            }
            // Nobody else knows this stream yet, so there is nobody to wake.
            let event = machine.makeEvent(.ended(.init(outcome)), at: machine.waitingSince)
            _ = stream.append(event, isReplaceable: false)
            _ = stream.finish()
            return false
        }
        if wantsWatchdog { arm(.init(.watchdog, after: options.watchdog)) }
        return stream
    }
}
