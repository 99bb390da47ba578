import SteplineSupport

/// A task that waits for a list, and runs a task for each of its elements in a workflow inside.
///
/// The elements' tasks are known by their keys: when there is another list, those that are in it again are run again as the
/// same tasks, and the others are let go of.
final class MapTask<Element: Sendable, Output: Sendable>: SubworkflowTask, @unchecked Sendable {  // locked
    private final class Place: Sendable {
        let element: Locked<Element>
        init(_ element: Element) { self.element = Locked(element) }
    }

    private struct State {
        var known: [String: (place: Place, task: TaskRef<Output>)] = [:]
        /// The tasks of the present list, in its order.
        var tasks: [TaskRef<Output>] = []
    }

    /// All that a task for an element is added with; made before the lock is taken.
    private struct Part {
        let key: String
        let element: Element
        let place: Place
        let name: String
        let work: TaskWork
        let options: TaskOptions
    }

    private let title: String
    private let list: TaskRef<[Element]>
    private let limit: ConcurrencyPool?
    private let elementOptions: TaskOptions
    private let key: (@Sendable (Element) -> String)?
    private let collectsFailures: Bool
    private let body: @Sendable (Element) async throws -> Output
    private let places = Locked(State())

    init(
        _ name: String, over list: TaskRef<[Element]>, limit: ConcurrencyPool?, options: TaskOptions,
        key: (@Sendable (Element) -> String)?, collectsFailures: Bool, inside settings: WorkflowOptions,
        body: @escaping @Sendable (Element) async throws -> Output
    ) {
        title = name
        self.list = list
        self.limit = limit
        elementOptions = options
        self.key = key
        self.collectsFailures = collectsFailures
        self.body = body
        super.init(
            name: name, subworkflow: Workflow(name, options: settings),
            options: TaskOptions(version: options.version))
        subworkflow.core.look { $0.hasElements = true }
    }

    override var resultType: (any Sendable.Type)? {
        collectsFailures ? [Result<Output, any Error>].self : [Output].self
    }

    // An element without a result, or with one that isn't kept, leaves nothing to make the list of.
    override var elementList: ElementList? {
        let isKept = !collectsFailures && !elementOptions.isRecomputed && Output.self != Void.self
        return isKept ? ElementList(of: Output.self) : nil
    }

    override var cachedElementType: (any Sendable.Type)? {
        elementOptions.cacheLifetime == nil ? nil : Element.self
    }

    override var placesOfElements: [ConcurrencyPool: Int] { elementOptions.pools }

    // The list may be empty, and there is none before the run.
    override func findIssues() -> [CheckIssue] { [] }

    /// Whether its tasks belong to the workflow around it as if they stood there.
    override var isTransparent: Bool { true }

    override func fillInside(in generation: UInt64) throws -> UInt64? {
        let parts = try makeParts(of: try list.readValue())
        let core = subworkflow.core
        var released: [any Sendable] = []
        var refusal: Refusal?
        let first = core.change { machine, turn -> Int32? in
            guard machine.generation == generation else { return nil }
            machine.generation += 1
            let first = machine.tasks.count
            refusal = fill(&machine, with: parts, &released, &turn)
            // Before new elements are restored: those that failed for good in an earlier process aren't taken back.
            machine.takeBackFailed(&turn)
            return first
        }
        // What is released is a user's, and freed after the lock.
        withExtendedLifetime(released) {}
        if let refusal { throw subworkflow.error(refusal, of: title) }
        guard let first, core.restoreAdded(from: Int(first), in: generation + 1) else { return nil }
        return generation + 1
    }

    // A failure is heard when all elements have ended, and not before.
    override func hear(_ news: InsideNews) {
        if case .failed = news { return }
        super.hear(news)
    }

    override func endAsInside(_ attempt: UInt32) {
        guard isSettledInside else { return }
        do {
            let tasks = places.withLock { $0.tasks }
            let results: any Sendable
            if collectsFailures {
                results = try tasks.map(outcome)
            } else if elementList != nil, subworkflow.core.look({ $0.journaling != nil }) {
                results = try keptResults(tasks)
            } else {
                results = try tasks.enumerated().map { try result($1, $0) }
            }
            end(attempt) { _, _ in .finished(results) }
        } catch let error as WorkflowError where error.code == .noResult {
            // Not all have ended: somebody has cancelled one, or taken it back.
            if hasCancelledInside { endCancelled(attempt) }
        } catch {
            end(attempt) { core, number in core.failure(of: number, error) }
        }
    }

    /// The results as a durable run keeps them: with the elements, and their names with the map.
    ///
    /// Reads nothing from the store: where workers run the elements, the owner's thread must not load all of them.
    private func keptResults(_ tasks: [TaskRef<Output>]) throws -> KeptResult {
        let ends = subworkflow.core.look { machine in
            tasks.map { (name: machine.name($0.index), end: machine.snapshot($0.index)) }
        }
        let values = try tasks.indices.map { place -> any Sendable in
            let end = ends[place].end
            if end.state == .finished, let value = end.value { return value }
            return try result(tasks[place], place)
        }
        return KeptResult(MapResults<Output>(title, ends.map(\.name), values), 0)
    }

    private func result(_ task: TaskRef<Output>, _ place: Int) throws -> Output {
        let snapshot = task.core.look { $0.snapshot(task.index) }
        guard snapshot.state == .failed else { return try task.readValue() }
        let name = task.core.look { $0.name(task.index) }
        throw WorkflowError(
            .elementFailed, name, "element \(place) has failed", underlying: snapshot.error)
    }

    /// What became of an element; throws as long as it hasn't ended.
    private func outcome(of task: TaskRef<Output>) throws -> Result<Output, any Error> {
        let isFailed = task.core.look { $0.snapshot(task.index) }.state == .failed
        return isFailed ? try task.allowingFailure.readValue() : .success(try task.readValue())
    }

    // MARK: Elements

    private func makeParts(of elements: [Element]) throws -> [Part] {
        var seen: Set<String> = []
        let isKept = subworkflow.core.look { $0.journaling != nil }
        return try elements.enumerated().map { index, element in
            let key = key?(element) ?? "\(index)"
            guard seen.insert(key).inserted else {
                throw WorkflowError(.duplicateName, title, "two elements have the key \"\(key)\"")
            }
            let place = Place(element), body = body
            let current: @Sendable () -> Element = { place.element.withLock { $0 } }
            var options = elementOptions
            if let limit { options.pools[limit] = 1 }
            let name = "\(title)[\(key)]"
            guard !isKept || name.utf8.count <= 1024 else {
                throw WorkflowError(
                    .invalidOption, title,
                    "the key \"\(key.prefix(40))…\" makes a name of over 1 KB, and a durable run keeps none")
            }
            try subworkflow.check(options, name)
            return Part(
                key: key, element: element, place: place, name: name,
                work: TaskWork(Output.self, async: { try await body(current()) }),
                options: options.made(for: current))
        }
    }

    /// Adds tasks for new keys, gives the others their elements, and removes the tasks whose keys are gone.
    ///
    /// Part of one transaction of the workflow inside, so no attempt sees a part of a list.
    ///
    /// - Returns: Why a task can't be added, if one can't.
    private func fill(
        _ machine: inout WorkflowMachine, with parts: [Part], _ released: inout [any Sendable],
        _ turn: inout WorkflowTurn
    ) -> Refusal? {
        places.withLock { state in
            let keys = Set(parts.map(\.key))
            for (key, gone) in state.known where !keys.contains(key) {
                released.append(gone.place)
                state.known[key] = nil
                machine.removeElement(gone.task.index, &turn)
            }
            state.tasks = []
            for part in parts {
                if let old = state.known[part.key] {
                    old.place.element.withLock { element in
                        released.append(element)
                        element = part.element
                    }
                    state.tasks.append(old.task)
                    continue
                }
                let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
                if let refusal = machine.refusal(of: part.name, after: none, isCleanup: false) {
                    return refusal
                }
                let number = machine.add(
                    part.work.work, of: part.work.resultType, part.name, part.options, [], after: none, &turn)
                let task = TaskRef<Output>(subworkflow.home, number)
                state.known[part.key] = (part.place, task)
                state.tasks.append(task)
            }
            return nil
        }
    }
}

extension WorkflowMachine {
    /// Removes the task of an element that the list leaves out.
    fileprivate mutating func removeElement(_ number: Int32, _ turn: inout WorkflowTurn) {
        let stopped = tasks.stop(number)
        leave(number, stopped, &turn)
        tasks.setState(.cancelled, number)
        wakeWaiters(number, &turn)
        // With a body that still goes on it can only be hidden, so that nobody takes it back.
        if !forget([number], &turn).kept.isEmpty { tasks.hide(number) }
    }
}
