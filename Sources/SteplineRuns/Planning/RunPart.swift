import SteplineSupport
import SteplineWorkflow

/// One workflow of a run: the one that was asked for, or one inside it.
final class RunPart: Sendable {
    let workflow: Workflow
    /// The names of the tasks around it.
    let prefix: String
    /// The task around it, in the part that has it; nil for the workflow that was asked for.
    let around: Around?
    private let known: Locked<(facts: ContiguousArray<StepFacts>, codecs: ResultCodecs)>
    /// What the workflow has been given to keep its tasks by, until it keeps nothing more.
    private let journal = Locked<(any TaskJournal)?>(nil)

    /// A task that runs a workflow.
    struct Around: Sendable {
        let part: RunPart
        let number: Int
        /// Whether it is a map, and the tasks inside are its elements.
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

    /// Gives the workflow a journal by way of `begins`, which says whether it has taken it; whether it has.
    func begin<Journal: TaskJournal>(
        _ journal: Journal, _ begins: (Workflow, Journal) throws -> Bool
    ) rethrows -> Bool {
        guard try begins(workflow, journal) else { return false }
        self.journal.withLock { $0 = journal }
        return true
    }

    /// Ends what ``begin(_:_:)`` has begun: a journal of somebody else's is left alone.
    func endJournal() {
        guard let journal = self.journal.withLock({ $0.take() }) else { return }
        workflow.end(journal)
    }

    /// What a program must know to run a task's body: the task, or the map that it is an element of.
    func task(of facts: StepFacts) -> String {
        guard let around, around.isTransparent else { return facts.name }
        return around.part.facts(around.number).name
    }

    /// What is to be known of a task, which may have been added since the run began.
    func facts(_ number: Int) -> StepFacts {
        if let facts = known.withLock({ number < $0.facts.count ? $0.facts[number] : nil }) { return facts }
        while true {
            let next = known.withLock { $0.facts.count }
            if next > number { return known.withLock { $0.facts[number] } }
            let task = workflow.journalTask(next)
            let names = task.prerequisites.map { workflow.journalTask($0).name }
            known.withLock { known in
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
