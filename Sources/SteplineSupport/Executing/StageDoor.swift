/// The way onto a stage for what comes from threads that it doesn't rule, in the order in which it comes.
package final class StageDoor: Sendable {
    private let stage: any Stage
    private let waiting = Locked<[@Sendable () -> Void]>([])

    /// A door to the stage that this thread plays on, which is told what comes by it; nil if it plays on none.
    package init?(_ what: @autoclosure () -> String) {
        guard let stage = Stages.current else { return nil }
        stage.noteForeign(what())
        self.stage = stage
    }

    /// Has this be done on the stage, behind all that came before.
    package func pass(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(work) }
        stage.enqueue(isBody: false) { [self] in
            let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            next?()
        }
    }
}
