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
        super.init(name: name, subworkflow: Workflow(name, options: settings))
    }

    override var resultType: (any Sendable.Type)? {
        collectsFailures ? [Result<Output, any Error>].self : [Output].self
    }

    override var cachedElementType: (any Sendable.Type)? {
        elementOptions.cacheLifetime == nil ? nil : Element.self
    }

    override var placesOfElements: [ConcurrencyPool: Int] { elementOptions.pools }

    // The list may be empty, and there is none before the run.
    override func findIssues() -> [CheckIssue] { [] }

    /// Whether its tasks belong to the workflow around it as if they stood there.
    override var isTransparent: Bool { true }

    override func begin(_ attempt: TaskAttempt) -> Bool {
        do {
            try fill(with: try list.readValue())
            beginInside(attempt)
        } catch {
            attempt.fail(with: error)
        }
        return false
    }

    override func fillAlone() throws { try fill(with: try list.readValue()) }

    // A failure is heard when all elements have ended, and not before.
    override func hear(_ news: InsideNews) {
        if case .failed = news { return }
        super.hear(news)
    }

    override func endAsInside(_ attempt: UInt32) {
        guard isSettledInside else { return }
        do {
            let tasks = places.withLock { $0.tasks }
            let results: any Sendable =
                collectsFailures
                ? try tasks.map(outcome) : try tasks.enumerated().map { try result($1, $0) }
            end(attempt) { _, _ in .finished(results) }
        } catch let error as WorkflowError where error.code == .noResult {
            // Not all have ended: somebody has cancelled one, or taken it back.
            if hasCancelledInside { endCancelled(attempt) }
        } catch {
            end(attempt) { core, number in core.failure(of: number, error) }
        }
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

    private func fill(with elements: [Element]) throws {
        let keys = elements.enumerated().map { key?($1) ?? "\($0)" }
        var seen: Set<String> = []
        for key in keys where !seen.insert(key).inserted {
            throw WorkflowError(.duplicateName, title, "two elements have the key \"\(key)\"")
        }
        let first = subworkflow.core.look { Int($0.tasks.count) }
        var known = places.withLock { $0.known }
        let gone = known.filter { !seen.contains($0.key) }
        for (key, old) in gone {
            known[key] = nil
            letGo(of: old.task)
        }
        let tasks = try zip(keys, elements).map { key, element in
            if let old = known[key] {
                // The element of the list before is a user's, and let go of after the lock.
                let former = old.place.element.withLock { held in
                    defer { held = element }
                    return held
                }
                withExtendedLifetime(former) {}
                return old.task
            }
            let place = Place(element)
            let task = try add(place, key)
            known[key] = (place, task)
            return task
        }
        places.withLock { state in
            state.known = known
            state.tasks = tasks
        }
        // With their elements, which must not be let go of under that lock.
        withExtendedLifetime(gone) {}
        subworkflow.core.restoreAdded(from: first)
        retryInside()
    }

    private func add(_ place: Place, _ key: String) throws -> TaskRef<Output> {
        var options = elementOptions
        if let limit { options.pools[limit] = 1 }
        let element: @Sendable () -> Element = { place.element.withLock { $0 } }
        options = options.made(for: element)
        let body = self.body
        let work = TaskWork(Output.self, async: { try await body(element()) })
        return TaskRef(subworkflow.home, try subworkflow.insert("\(title)[\(key)]", work, options))
    }

    private func letGo(of task: TaskRef<Output>) {
        task.core.change { $0.dropUnstarted(task.index, &$1) }
    }
}

extension WorkflowMachine {
    /// Lets go of a task that waits to be started, and that nobody wants any more.
    fileprivate mutating func dropUnstarted(_ number: Int32, _ turn: inout WorkflowTurn) {
        _ = tasks.stop(number)
        tasks.setState(.cancelled, number)
        // With a body that still goes on it can only be hidden, so that nobody takes it back.
        if !forget([number], &turn).kept.isEmpty { tasks.hide(number) }
    }
}
