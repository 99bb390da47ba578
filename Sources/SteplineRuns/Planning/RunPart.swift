import SteplineSupport
import SteplineWorkflow

/// A workflow of a run: the main workflow or a nested one.
final class RunPart: Sendable {
    let workflow: Workflow
    /// The names of the tasks around the workflow, joined by slashes.
    let prefix: String
    /// The task around the workflow; nil for the main workflow.
    let around: Around?
    private let known: Locked<(facts: ContiguousArray<StepFacts>, codecs: ResultCodecs)>
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
        known = Locked((facts, codecs))
    }

    /// Attaches a journal through `begins`; returns whether the workflow accepted the journal.
    func begin<Journal: TaskJournal>(
        _ journal: Journal, _ begins: (Workflow, Journal) throws -> Bool
    ) rethrows -> Bool {
        guard try begins(workflow, journal) else { return false }
        // Events and errors name an element as the store does.
        workflow.rename(
            known.withLock { known in
                known.facts.enumerated().filter { $0.element.isNamedByContent }.map { number, facts in
                    (number, JournalTask.name(of: facts.name, in: prefix))
                }
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

    /// Whether the workflow contains the elements of a growing map.
    var grows: Bool { around.map { $0.part.facts($0.number).isGrowingMap } ?? false }

    /// Returns the facts of a task that hasn't been added.
    func facts(of task: JournalTask) -> StepFacts {
        known.withLock { known in
            let codec = known.codecs.codec(of: task)
            return StepFacts(
                task, name: task.path(in: prefix), prerequisites: Digest(task) { _ in "" }, codec: codec,
                codecs: &known.codecs)
        }
    }

    /// Returns the facts of a task, computing them for tasks added since the start of the run.
    func facts(_ number: Int) -> StepFacts {
        // The usual case: the task existed at the start.
        if let facts = known.withLock({ number < $0.facts.count ? $0.facts[number] : nil }) { return facts }
        // The workflow has a lock of its own: read from the workflow outside this lock.
        while true {
            let next = known.withLock { $0.facts.count }
            if next > number { return known.withLock { $0.facts[number] } }
            let task = workflow.journalTask(next)
            let names = task.prerequisites.map { workflow.journalTask($0).name }
            known.withLock { known in
                // Another thread has added these facts meanwhile: look again.
                guard known.facts.count == next else { return }
                let codec = known.codecs.codec(of: task)
                let places = Dictionary(zip(task.prerequisites, names)) { first, _ in first }
                let facts = StepFacts(
                    task, name: task.path(in: prefix), prerequisites: Digest(task) { places[$0] ?? "" },
                    codec: codec, codecs: &known.codecs)
                known.facts.append(facts)
            }
        }
    }
}
