import SteplineEngine
import SteplineSupport

/// The elements of a map, while it runs and after any end.
///
/// Both properties also exist for other tasks whose result is a list: these have their elements when they finish.
extension TaskRef where Output: RandomAccessCollection, Output.Element: Sendable {
    /// The results of a map's elements in the order in which these finish, until the map has ended.
    ///
    ///     for await row in pages.asTheyFinish { try file.append(row) }
    ///
    /// Elements that have finished before come first. Each element comes once, and one that fails doesn't come at all;
    /// a map that collects failures has its failures, too. The sequence doesn't start or retain the workflow, and a
    /// slow reader doesn't hold it up.
    ///
    /// In a durable run whose steps run in workers, a result that the store can't return is left out. If the store can't
    /// return one of the results of a run that has finished before, the sequence is empty, and ``value`` throws.
    public var asTheyFinish: some AsyncSequence<Output.Element, Never> & Sendable {
        FinishingElements<Output.Element>(core: core, index: index) { [self] in
            (try? readValue()).map(Array.init) ?? []
        }
    }

    /// The result of each element of a map in the order of the list, or the error by which there is none.
    ///
    ///     let failed = try pages.settled.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    ///
    /// Can be read at any time, also after a failure or a cancellation of the map. An error is a ``WorkflowError`` with
    /// the name of the element's task: `.elementFailed` with the failure of the element, `.cancelled`, or `.noResult`
    /// for an element that hasn't ended. Empty before the map knows its list.
    ///
    /// - Throws: A ``WorkflowError``, or the error of the store, if the result of the map can't be read.
    public var settled: [Result<Output.Element, any Error>] {
        get throws {
            let elements = MapElements<Output.Element>(of: index, in: core)
            let numbers = elements.numbers
            if !numbers.isEmpty { return numbers.compactMap { elements.result(of: $0) } }
            // A finished map of a durable run makes no tasks for its elements.
            guard core.look({ $0.tasks[index].state }) == .finished else { return [] }
            return try readValue().map { .success($0) }
        }
    }
}

/// The tasks of a map's elements, and what they have come to.
private struct MapElements<Element: Sendable>: Sendable {
    /// The workflow that has the tasks.
    let core: WorkflowCore
    private let map: WorkflowCore
    private let index: Int32
    private let inside: SubworkflowTask?
    /// Whether the map collects failures; nil for a task that is no map.
    private let collects: Bool?
    /// The task that chooses from the results of the map; nil for the map itself.
    private let choice: ChosenResults<Element>?

    init(of task: Int32, in map: WorkflowCore) {
        let choice = map.look { $0.object(task) } as? ChosenResults<Element>
        let index = choice?.map ?? task
        let (object, collects) = map.look { ($0.object(index), $0.rare.joins[index]?.collectsFailures) }
        self.map = map
        self.index = index
        self.choice = choice
        let around = object as? SubworkflowTask
        // A subworkflow that is no map has no element numbers.
        inside = around?.elementNumbers == nil ? nil : around
        self.collects = inside?.collectsFailures ?? collects
        core = inside?.subworkflow.core ?? map
    }

    /// The tasks in the order of the list, as far as it is known.
    var numbers: [Int32] {
        if let inside { return inside.elementNumbers ?? [] }
        return collects == nil ? [] : map.look { $0.prerequisites(index) }
    }

    /// The only tasks of the workflow that are elements; nil if all are.
    var only: Set<Int32>? { inside == nil ? Set(numbers) : nil }

    /// Returns the entry of the list for an element that has ended; nil if there is none.
    func entry(of number: Int32) -> Element? {
        if collects == true, let type = Element.self as? any ElementOutcome.Type {
            let (name, end) = core.look { ($0.name(number), $0.snapshot(number)) }
            return type.outcome(of: end, named: name) as? Element
        }
        return try? read(number)
    }

    /// Returns the result of a Finished element; nil if it is left out.
    private func read(_ number: Int32) throws -> Element? {
        if let choice { return try choice.chosen(in: core, of: number) }
        return try TaskRef<Element>(core, number).readValue()
    }

    /// Returns the result of an element, or the error by which there is none; nil if it is left out.
    func result(of number: Int32) -> Result<Element, any Error>? {
        let (name, end) = core.look { ($0.name(number), $0.snapshot(number)) }
        switch end.state {
        case .finished where collects == true, .failed where collects == true:
            if let entry = entry(of: number) { return .success(entry) }
            return .failure(WorkflowError(.noResult, name, "its result can't be read"))
        case .finished:
            do {
                return try read(number).map { .success($0) }
            } catch {
                return .failure(error)
            }
        case .failed:
            return .failure(WorkflowError(.elementFailed, name, "has failed", underlying: end.error))
        case .cancelled:
            let reason = end.cancellation.map { ": \($0)" } ?? ""
            return .failure(WorkflowError(.cancelled, name, "was cancelled\(reason)"))
        case .pending, .ready, .executing:
            return .failure(WorkflowError(.noResult, name, "has not ended"))
        }
    }
}

/// An entry of a map that collects failures.
private protocol ElementOutcome {
    /// Returns the entry for an end; nil if the element hasn't ended, or its result can't be read.
    static func outcome(of end: WorkflowTask.Snapshot, named name: String) -> Self?
}

extension Result: ElementOutcome where Failure == any Error {
    fileprivate static func outcome(of end: WorkflowTask.Snapshot, named name: String) -> Result? {
        switch end.outcome(of: name) {
        // A task without a result finishes with nil.
        case .success(let value): ((value ?? ()) as? Success).map { .success($0) }
        case .failure(let error): .failure(error)
        case .cancelled, nil: nil
        }
    }
}

/// The results of a map's elements in the order in which they finish.
///
/// An iterator registers a stream of the numbers of ended tasks with the machine that has the elements. Under the same
/// lock it takes the tasks that have ended before. The stream finishes when the map has ended.
private struct FinishingElements<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    let core: WorkflowCore
    let index: Int32
    /// Returns the whole list, of a task without tasks for its elements.
    let list: @Sendable () -> [Element]

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// The stream; finished when the map has ended.
    private final class Feed: Sendable {
        let stream = EventStream<Int32>()
        private let watch: Task<Void, Never>

        init(_ core: WorkflowCore, _ index: Int32) {
            let state = stream.state
            watch = Stages.detachedTask {
                _ = await core.end(of: index)
                state.withLock { $0.finish() }?.wake()
            }
        }

        // An iterator that is dropped early must not leave a Swift task behind.
        deinit { watch.cancel() }
    }

    struct Iterator: AsyncIteratorProtocol {
        private let elements: MapElements<Element>
        /// The only tasks that count; nil if all do.
        private let only: Set<Int32>?
        private let feed: Feed
        /// The tasks that have ended before.
        private var early: ArraySlice<Int32> = []
        private var seen: Set<Int32> = []
        private let list: @Sendable () -> [Element]
        /// The list, once the map has ended without tasks for its elements.
        private var rest: ArraySlice<Element>?

        init(_ sequence: FinishingElements) {
            let elements = MapElements<Element>(of: sequence.index, in: sequence.core)
            let only = elements.only
            let feed = Feed(sequence.core, sequence.index)
            self.elements = elements
            self.only = only
            self.feed = feed
            list = sequence.list
            // No elements here: wait for the end of the task, whose result is the list.
            if only?.isEmpty == true { return }
            elements.core.readClockAlways()
            early = elements.core.look { machine in
                machine.eventLog.add(ends: feed.stream)
                let ended = machine.known.filter { [.finished, .failed].contains(machine.tasks[$0].state) }
                return ended.sorted { (machine.tasks.endedAt($0), $0) < (machine.tasks.endedAt($1), $1) }[...]
            }
        }

        mutating func next() async -> Element? { await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while let number = await nextNumber(actor) {
                // After a retry or a reset, an element ends a second time.
                guard only?.contains(number) ?? true, !seen.contains(number),
                    let entry = elements.entry(of: number)
                else { continue }
                seen.insert(number)
                return entry
            }
            guard seen.isEmpty, !Task.isCancelled else { return nil }
            // No element came: the task made none, or none has a readable result.
            if rest == nil { rest = list()[...] }
            return rest?.popFirst()
        }

        private mutating func nextNumber(_ actor: isolated (any Actor)?) async -> Int32? {
            if let number = early.popFirst() { return number }
            return await feed.stream.makeAsyncIterator().next(isolation: actor)
        }
    }
}
