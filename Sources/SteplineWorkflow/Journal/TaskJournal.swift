/// Records the changes of a workflow's tasks, each end before it counts.
package protocol TaskJournal: AnyObject, Sendable {
    /// Records an entry; called on the thread of the event, and must not block it unless the entry says `mayBlock`.
    ///
    /// An awaited entry is answered by ``Workflow/wasKept(_:)``, or by the result true: it is recorded already, and the
    /// caller confirms it. Two threads may call in the other order than they were decided: an entry of an attempt that
    /// counts no longer must change nothing.
    func record(_ entry: JournalEntry) -> Bool

    /// A key that is unique among the steps of all runs.
    func idempotencyKey(of number: Int) -> String

    /// Returns the result of the same step of another run with the same inputs; nil if there is none that may be taken
    /// over.
    ///
    /// Called on a thread that may block, before the attempt's body.
    func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult?

    /// Returns the earlier states of tasks that were added since; a task that isn't among them has none.
    func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask]

    /// Returns the earlier states of elements of a growing map, by name; an element that isn't among them has none.
    ///
    /// The number of a state isn't used. Called on a thread that may block, before the tasks are added.
    func restoredElements(_ names: [String], like task: JournalTask) -> [String: RestoredTask]

    /// Reports that a growing map has added all elements that earlier processes have found; new ones follow.
    func haveRestoredElements(_ isElement: (_ name: String) -> Bool)

    /// Returns the keys of a map's elements that have none of their own; nil to name them by place.
    ///
    /// Equal elements have equal keys in every process, whatever their place; the keys of one list are unique.
    func elementKeys(_ elements: [any Sendable], of type: any Sendable.Type) -> [String]?

    /// Whether other processes run the bodies, and their time-outs.
    var hasBodiesElsewhere: Bool { get }

    /// Hands the body of an attempt to another process; returns false if the body is to run here.
    ///
    /// Called in place of the body. A body that was handed over ends by ``BodyElsewhere/end(_:)``.
    func runsElsewhere(_ body: BodyElsewhere) -> Bool
}

extension TaskJournal {
    package func elementKeys(_ elements: [any Sendable], of type: any Sendable.Type) -> [String]? { nil }

    package var hasBodiesElsewhere: Bool { false }

    package func restoredElements(_ names: [String], like task: JournalTask) -> [String: RestoredTask] { [:] }

    package func haveRestoredElements(_ isElement: (_ name: String) -> Bool) {}

    package func runsElsewhere(_ body: BodyElsewhere) -> Bool { false }
}
