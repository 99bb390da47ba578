import SteplineSupport
import SteplineWorkflow

/// A workflow of a run: the main workflow or a nested one.
final class RunPart: Sendable {
    let workflow: Workflow
    /// The names of the tasks around the workflow, joined by slashes.
    let prefix: String
    /// The task around the workflow; nil for the main workflow.
    let around: Around?
    /// The facts of the tasks that existed at the start; constant, so that no change of a step takes a lock for them.
    private let first: ContiguousArray<StepFacts>
    /// The facts of the tasks that were added since, and the codecs of all.
    private let added: Locked<(facts: ContiguousArray<StepFacts>, codecs: ResultCodecs)>
    /// The attached journal; nil before the run and after its end.
    private let journal = Locked<(any TaskJournal)?>(nil)

    /// The task that runs a nested workflow.
    struct Around: Sendable {
        let part: RunPart
        let number: Int
        /// Whether the task is a map and the workflow contains its elements.
        let isTransparent: Bool
    }

    init(
        _ workflow: Workflow, prefix: String, around: Around?, facts: ContiguousArray<StepFacts>,
        codecs: ResultCodecs
    ) {
        self.workflow = workflow
        self.prefix = prefix
        self.around = around
        first = facts
        added = Locked(([], codecs))
    }

    /// Attaches a journal through `begins`; returns whether the workflow accepted the journal.
    func begin<Journal: TaskJournal>(
        _ journal: Journal, _ begins: (Workflow, Journal) throws -> Bool
    ) rethrows -> Bool {
        guard try begins(workflow, journal) else { return false }
        // Events and errors name an element as the store does.
        workflow.rename(
            first.enumerated().filter { $0.element.isNamedByContent }.map { number, facts in
                (number, JournalTask.name(of: facts.name, in: prefix))
            })
        self.journal.withLock { $0 = journal }
        return true
    }

    /// Detaches the journal that ``begin(_:_:)`` attached, and no other.
    func endJournal() {
        guard let journal = self.journal.withLock({ $0.take() }) else { return }
        workflow.end(journal)
    }

    /// Returns the name of the task that a program must have to run a body: the task, or the map of an element.
    func task(of facts: StepFacts) -> String {
        guard let around, around.isTransparent else { return facts.name }
        return around.part.facts(around.number).name
    }

    /// The name of the map whose elements the workflow contains.
    var map: String? { around.flatMap { $0.isTransparent ? $0.part.facts($0.number).name : nil } }

    /// Whether the workflow contains the elements of a growing map that workers can't run.
    ///
    /// The owner needs what an element has found, and a worker needs the element: both must be stored.
    var staysWithOwner: Bool {
        guard let map = around.map({ $0.part.facts($0.number) }), map.isGrowingMap else { return false }
        return map.staysWithOwner || map.mapped?.codec?.found == nil
    }

    /// Returns the facts of a task that hasn't been added.
    func facts(of task: JournalTask) -> StepFacts {
        added.withLock { added in
            let codec = added.codecs.codec(of: task)
            return StepFacts(
                task, name: task.path(in: prefix), prerequisites: Digest(task) { _ in "" }, codec: codec,
                codecs: &added.codecs)
        }
    }

    /// Returns the facts of a task, computing them for tasks added since the start of the run.
    func facts(_ number: Int) -> StepFacts {
        if number < first.count { return first[number] }
        let place = number - first.count
        // The workflow has a lock of its own: read from the workflow outside this lock.
        while true {
            let (count, found) = added.withLock {
                ($0.facts.count, place < $0.facts.count ? $0.facts[place] : nil)
            }
            if let found { return found }
            let next = first.count + count
            let task = workflow.journalTask(next)
            let names = task.prerequisites.map { workflow.journalTask($0).name }
            added.withLock { added in
                // Another thread has added these facts meanwhile: look again.
                guard added.facts.count == count else { return }
                let codec = added.codecs.codec(of: task)
                let places = Dictionary(zip(task.prerequisites, names)) { first, _ in first }
                let facts = StepFacts(
                    task, name: task.path(in: prefix), prerequisites: Digest(task) { places[$0] ?? "" },
                    codec: codec, codecs: &added.codecs)
                added.facts.append(facts)
            }
        }
    }
}
