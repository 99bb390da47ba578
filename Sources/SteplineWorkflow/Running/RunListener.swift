import SteplineEngine
import SteplineSupport
import Synchronization

/// Somebody who listens to the ends of a workflow's runs.
final class RunListener: Sendable {
    let place: CallbackPlace
    let owner: OwnerToken
    private let call: @Sendable (Outcome<RunReport>) -> Void
    private let isOver = Atomic(false)

    init(
        owner: AnyObject?, place: CallbackPlace, call: @escaping @Sendable (Outcome<RunReport>) -> Void
    ) {
        self.owner = OwnerToken(owner)
        self.place = place
        self.call = call
    }

    func end() { isOver.store(true, ordering: .releasing) }

    func tell(_ outcome: Outcome<RunReport>) {
        if !isOver.load(ordering: .acquiring) { call(outcome) }
    }
}
