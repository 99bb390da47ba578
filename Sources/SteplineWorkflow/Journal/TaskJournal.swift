/// Keeps what becomes of a workflow's tasks, before anybody else hears of it.
package protocol TaskJournal: AnyObject, Sendable {
    /// Something is to be kept; called on the thread of the event, which it must not hold up.
    ///
    /// What is awaited goes on by ``Workflow/wasKept(_:)``. Of two threads the later one's entry may come first: an entry of
    /// an attempt that counts no longer changes nothing.
    func record(_ entry: JournalEntry)

    /// What tells the step from all others of all runs.
    func idempotencyKey(of number: Int) -> String

    /// The result of the same step of another run that was made of the same; nil if there is none that may be taken over.
    ///
    /// Called on a thread that may be held up as by a body, before the attempt's body.
    func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult?

    /// How tasks stood that were added since; those that aren't named have no past.
    func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask]

    /// Whether other processes run the bodies, and watch over their time, which begins when somebody takes them up.
    var hasBodiesElsewhere: Bool { get }

    /// Takes the body of an attempt to where another process runs it; false if it is to be run here.
    ///
    /// Called in place of the body. What is taken ends by ``BodyElsewhere/end(_:)``.
    func runsElsewhere(_ body: BodyElsewhere) -> Bool
}

extension TaskJournal {
    package var hasBodiesElsewhere: Bool { false }

    package func runsElsewhere(_ body: BodyElsewhere) -> Bool { false }
}
