import SteplineSupport

/// A task that runs a task for each element of a list in an inner workflow, and has their results.
///
/// A subclass creates the elements' tasks in `fillInside`. `hear` and `endAsInside` are called on the notifying thread
/// of the inner workflow. A failure of an element decides only after all elements have ended.
class ElementsTask<Output: Sendable>: SubworkflowTask, @unchecked Sendable {  // constants
    final let title: String
    final let elementOptions: TaskOptions
    private let collects: Bool

    init(
        _ name: String, options: TaskOptions, collectsFailures: Bool = false, inside settings: WorkflowOptions
    ) {
        title = name
        elementOptions = options
        collects = collectsFailures
        super.init(
            name: name, subworkflow: Workflow(name, options: settings),
            options: TaskOptions(version: options.version))
        subworkflow.core.look { $0.hasElements = true }
    }

    /// The tasks of the elements, in the order of the results.
    var elements: [TaskRef<Output>] { [] }

    override var elementNumbers: [Int32]? { elements.map(\.index) }

    override var collectsFailures: Bool { collects }

    override var resultType: (any Sendable.Type)? {
        collectsFailures ? [Result<Output, any Error>].self : [Output].self
    }

    override var elementList: ElementList? {
        collectsFailures ? nil : ElementList(of: Output.self, with: elementOptions)
    }

    override var mapped: MappedElements? {
        MappedElements(resultType: Output.self, areRecomputed: elementOptions.isRecomputed)
    }

    override var placesOfElements: [ConcurrencyPool: Int] { elementOptions.pools }

    // The list is unknown before the run, and may be empty.
    override func findIssues() -> [CheckIssue] { [] }

    /// Whether the inner tasks belong to the surrounding workflow as if they were added there.
    override var isTransparent: Bool { true }

    override func begin(_ attempt: TaskAttempt) -> Bool {
        // Before the first element exists.
        if let (core, number) = home { subworkflow.core.forwardEvents(to: core, ofMap: number) }
        return super.begin(attempt)
    }

    // A failure decides only after all elements have ended.
    override func hear(_ news: InsideNews) {
        // Failures of elements don't stop the others.
        if case .failed = news { return }
        super.hear(news)
    }

    override func endAsInside(_ attempt: UInt32) {
        // Checked before the results are collected: a worker settles the workflow inside after each element.
        guard isSettledInside, isOpen(attempt) else { return }
        do {
            let tasks = elements
            let results: any Sendable
            if collectsFailures {
                results = try tasks.map(outcome)
            } else if elementList != nil, let kept = try TaskRef.keptResults(of: tasks, title) {
                results = kept
            } else {
                results = try tasks.indices.map { try TaskRef.result(of: tasks, at: $0) }
            }
            end(attempt) { _, _ in .finished(results) }
        } catch let error as WorkflowError where error.code == .noResult {
            // Some element hasn't ended: it was cancelled or taken back.
            if hasCancelledInside { endCancelled(attempt) }
        } catch {
            end(attempt) { core, number in core.failure(of: number, error) }
        }
    }

    /// Returns the outcome of an element; throws if it hasn't ended.
    private func outcome(of task: TaskRef<Output>) throws -> Result<Output, any Error> {
        let isFailed = task.core.look { $0.snapshot(task.index) }.state == .failed
        return isFailed ? try task.allowingFailure.readValue() : .success(try task.readValue())
    }

    // MARK: Elements

    /// Returns the name of an element's task.
    ///
    /// - Parameter key: The key of the element.
    /// - Throws: A ``WorkflowError`` if the name is too long for a durable run.
    final func name(of key: String, isKept: Bool) throws -> String {
        let name = "\(title)[\(key)]"
        guard !isKept || name.utf8.count <= 1024 else {
            throw WorkflowError(
                .invalidOption, title,
                "the key \"\(key.prefix(40))…\" makes a name of over 1 KiB, and a durable run keeps none")
        }
        return name
    }
}

extension TaskRef {
    /// Returns the results of a map's elements as a durable run stores them: by element, with the elements' names; nil
    /// outside of durable runs, and for a map without a name, whose step isn't named as its elements are.
    ///
    /// Reads nothing from the store: with remote workers, the owner must not load all results.
    static func keptResults(of elements: [TaskRef], _ map: String) throws -> KeptResult? {
        guard !map.isEmpty, let core = elements.first?.core, core.look({ $0.journaling != nil }) else {
            return nil
        }
        let ends = core.look { machine in
            elements.map { (name: machine.name($0.index), end: machine.snapshot($0.index)) }
        }
        let values = try elements.indices.map { place -> any Sendable in
            let end = ends[place].end
            if end.state == .finished, let value = end.value { return value }
            return try result(of: elements, at: place)
        }
        return KeptResult(MapResults<Output>(map, ends.map(\.name), values), 0)
    }

    /// Returns the result of a map's element; a failure is the map's.
    static func result(of elements: [TaskRef], at place: Int) throws -> Output {
        let task = elements[place]
        let snapshot = task.core.look { $0.snapshot(task.index) }
        guard snapshot.state == .failed else { return try task.readValue() }
        throw failure(of: elements, at: place, snapshot.error)
    }

    /// Returns the failure of a map whose first failed element is the one at `place`.
    static func failure(of elements: [TaskRef], at place: Int, _ cause: (any Error)?) -> WorkflowError {
        let first = elements[place]
        let (name, failed) = first.core.look { machine in
            // By the machine: a durable run may have renamed the element's task.
            (machine.name(first.index), elements.count { machine.tasks[$0.index].state == .failed })
        }
        // A finished element whose result can't be read fails the map, too.
        return WorkflowError.failed(name, at: place, max(failed, 1), of: elements.count, cause)
    }
}

extension WorkflowMachine {
    /// Removes the task of an element that isn't in the list any more.
    mutating func removeElement(_ number: Int32, _ turn: inout WorkflowTurn) {
        // A name that is made of the element's key is fixed before the element goes.
        if names[number].isEmpty { names.rename(number, name(number)) }
        // A live body is stopped; the map doesn't wait for its end.
        let stopped = tasks.stop(number)
        leave(number, stopped, &turn)
        tasks.setState(.cancelled, number)
        wakeWaiters(number, &turn)
        // A live body still refers to the task, so the task is only hidden.
        if !forget([number], &turn).kept.isEmpty { tasks.hide(number) }
    }
}
