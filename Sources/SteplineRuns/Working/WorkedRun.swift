import Foundation
import SteplineSupport
import SteplineWorkflow

/// A run that a worker has built: its tasks stay idle except those that the worker executes one by one.
///
/// The worker builds the whole workflow to find the body of a claimed step. Before the body starts, the prerequisites
/// are set to their stored states (`given`), so that the body reads stored results. Nothing else of the workflow runs.
/// The worker's thread calls all methods; ends arrive on the bodies' threads through `AloneJournal`.
final class WorkedRun: Sendable {
    /// The position of a task: workflow and number in it.
    struct Place: Hashable, Sendable {
        let part: Int
        let number: Int
    }

    /// A computed result, with the attempt of its step in the store; a later attempt has another result.
    private struct Made {
        let value: (any Sendable)?
        let attempt: Int
    }

    private struct State {
        /// The positions of map elements, by step name.
        var elements: [String: Place] = [:]
        /// The attempt of the list that each map was filled from.
        var lists: [Int: Int] = [:]
        /// Results that aren't stored and were computed here for other steps.
        var made: [Int: Made] = [:]
        /// The results that are being computed, with the failed tries so far.
        var making: [Int: (attempt: Int, failures: Int)] = [:]
        /// The inputs read in advance for several steps.
        var read: [Int: Kept] = [:]
    }

    let id: RunID
    /// A number that distinguishes the run from an earlier run of the same name.
    let number: Int
    private let graph: RunGraph
    private let store: any SharedRunStore
    private let hasVersions: Bool
    private let state = Locked(State())

    init(
        _ id: RunID, number: Int, _ workflow: Workflow, _ store: any SharedRunStore, hasVersions: Bool
    ) {
        self.id = id
        self.number = number
        self.store = store
        self.hasVersions = hasVersions
        graph = RunGraph(workflow)
    }

    // Breaks the reference cycle between each workflow and its journal.
    deinit { for part in graph.parts { part.endJournal() } }

    /// Detaches all tasks from automatic execution and reports the ends of executed tasks to `ended`.
    func begin(
        _ signals: UnsentSignals, _ ended: @escaping @Sendable (WorkedRun, Place, JournalEntry) -> Void
    ) throws {
        // One for all workflows of the run: a body may fulfil a condition of another workflow.
        let unstorable = Locked<[UnsentSignals.Body: any Error]>([:])
        for (number, part) in graph.parts.enumerated() {
            let journal = AloneJournal(part, of: id, signals, unstorable) { [weak self] entry in
                if let self { ended(self, Place(part: number, number: entry.number), entry) }
            }
            guard part.begin(journal, { $0.beginAlone($1) }) else {
                // Building a workflow must not start its tasks.
                throw DurableRunError(.notFresh, id.workflow, "its tasks were run while it was built")
            }
        }
    }

    func part(_ place: Place) -> RunPart { graph.parts[place.part] }

    func facts(_ place: Place) -> StepFacts { part(place).facts(place.number) }

    // MARK: Finding

    /// Returns the position of a step; nil if the program doesn't have the task, or not in that version.
    ///
    /// Fills the map first if the step is an element of one.
    func place(of offer: StepOffer) throws -> Place? {
        guard let task = graph.places[offer.task].map(Int.init) else { return nil }
        // An element carries the name of its map as its task.
        let own = try offer.task == offer.step ? place(task) : element(offer, of: task)
        guard let own else { return nil }
        return !hasVersions || facts(own).version == offer.version ? own : nil
    }

    private func place(_ step: Int) -> Place {
        Place(part: Int(graph.steps[step].part), number: Int(graph.steps[step].number))
    }

    private func element(_ offer: StepOffer, of map: Int) throws -> Place? {
        if let data = offer.element { return try foundElement(data, named: offer.step, of: map) }
        if let known = state.withLock({ $0.elements[offer.step] }) { return known }
        guard let inside = inside(map) else { return nil }
        let own = place(map)
        // The list must be in place before the map can create its elements.
        part(own).workflow.place(try given(to: map))
        try part(own).workflow.fillMap(own.number)
        let places = (0..<graph.parts[inside].workflow.taskCount).map { number in
            (graph.parts[inside].facts(number).name, Place(part: inside, number: number))
        }
        return state.withLock { state in
            state.elements.merge(places) { $1 }
            return state.elements[offer.step]
        }
    }

    /// Adds the element of a growing map, which comes with its offer: such a map has no list.
    private func foundElement(_ data: Data, named name: String, of map: Int) throws -> Place? {
        let own = place(map)
        guard let inside = inside(map), let codec = graph.facts(map).mapped?.codec?.found,
            let element = try GrownBytes.element(in: data, codec),
            let number = part(own).workflow.addElement(
                element.value, depth: element.depth, toMap: own.number)
        else { return nil }
        let place = Place(part: inside, number: number)
        // The program may make another key of the element than the owner's.
        return facts(place).name == name ? place : nil
    }

    /// Returns the workflow inside a map's task, which contains the elements.
    private func inside(_ map: Int) -> Int? {
        let own = place(map)
        return graph.parts.firstIndex { part in
            part.around.map { $0.part === self.part(own) && $0.number == own.number } ?? false
        }
    }

    /// Returns whether the map's list has changed since the map was filled here; the run must then be built again.
    func isStale(_ offer: StepOffer) throws -> Bool {
        guard offer.task != offer.step, offer.element == nil,
            let map = graph.places[offer.task].map(Int.init),
            let link = graph.steps[map].links.first
        else { return false }
        // A map has one prerequisite: its list.
        let list = graph.names[Int(graph.links[Int(link)].step)]
        let attempt = try store.attempt(of: list, in: id)
        return state.withLock { state in
            // The first check records the attempt.
            let known = state.lists[map] ?? attempt
            state.lists[map] = known
            return known != attempt
        }
    }

    // MARK: Running

    /// Returns a step without a stored result that must run here before the task; nil if there is none.
    ///
    /// Follows the chain of such steps to the first one that can run.
    func missing(before place: Place) throws -> Place? {
        guard let step = step(at: place) else { return nil }
        for link in graph.steps[step].links {
            let needed = Int(graph.links[Int(link)].step)
            // A recomputed step with files has a codec: its file records are stored.
            guard graph.facts(needed).isRecomputed, graph.facts(needed).codec == nil,
                try !isMade(needed)
            else { continue }
            return try missing(before: self.place(needed)) ?? self.place(needed)
        }
        return nil
    }

    /// Returns whether a result was computed here, and its step has had no later attempt since.
    ///
    /// The run's owner, or its next owner, may run the step again behind a changed prerequisite.
    private func isMade(_ step: Int) throws -> Bool {
        guard let made = state.withLock({ $0.made[step] }) else { return false }
        // The store may not have the end of this attempt yet.
        if try store.attempt(of: graph.names[step], in: id) <= made.attempt { return true }
        // The result is a user's value: release it after unlock.
        return state.withLock { $0.made.removeValue(forKey: step) } == nil
    }

    /// Starts the computation of a result for other steps; returns false if the task's previous body still runs.
    func make(_ place: Place) throws -> Bool {
        guard let step = step(at: place) else { return false }
        // Read before the prerequisites: a change in between makes the result obsolete, and never valid too long.
        let attempt = try store.attempt(of: graph.names[step], in: id)
        let failures = state.withLock { $0.making[step]?.failures ?? 0 }
        guard try run(place, attempt: failures + 1, failures: failures) else { return false }
        state.withLock { $0.making[step] = (attempt, failures) }
        return true
    }

    /// Keeps a result that was computed for other steps: by an attempt of its own step, or by ``make(_:)`` if it is
    /// nil.
    func note(_ value: (any Sendable)?, of place: Place, attempt: Int?) {
        guard let step = step(at: place) else { return }
        state.withLock { state in
            guard let attempt = attempt ?? state.making[step]?.attempt else { return }
            state.making[step] = nil
            state.made[step] = Made(value: value, attempt: attempt)
        }
    }

    /// Records the failure of a computation: for good, or of a try that another one follows.
    func noteFailure(of place: Place, isFinal: Bool) {
        guard let step = step(at: place) else { return }
        state.withLock { state in
            if isFinal { state.making[step] = nil } else { state.making[step]?.failures += 1 }
        }
    }

    /// Starts an attempt; returns false if the task's previous body still runs.
    func run(_ place: Place, attempt: Int, failures: Int) throws -> Bool {
        let given = try step(at: place).map { try self.given(to: $0) } ?? []
        return part(place).workflow.runAlone(
            place.number, attempt: attempt, failures: failures, after: given)
    }

    private func step(at place: Place) -> Int? {
        graph.places[facts(place).name].map(Int.init).flatMap { self.place($0) == place ? $0 : nil }
    }

    // MARK: What a task finds

    private typealias Kept = (step: StepRecord, result: Data?)

    /// Drops the inputs read in advance; later reads query the store again.
    func forgetRead() { state.withLock { $0.read = [:] } }

    /// Reads the inputs of several steps in one query.
    func read(for steps: [StepOffer]) throws {
        let needed = Set(
            // Elements of maps are left out: filling the map reads their list.
            steps.lazy.filter { $0.task == $0.step }.compactMap { self.graph.places[$0.step] }
                .flatMap { self.needed(by: Int($0)) })
        do {
            let read = try kept(Array(needed))
            state.withLock { $0.read = read }
        } catch let error as RunStoreError where error.code == .resultDamaged {
            // The steps find the damaged result themselves, so that only its dependents fail.
        }
    }

    private func needed(by step: Int) -> [Int] {
        graph.steps[step].links.map { Int(graph.links[Int($0)].step) }
    }

    private func kept(_ places: [Int]) throws -> [Int: Kept] {
        guard !places.isEmpty else { return [:] }
        let read = state.withLock { $0.read }
        // Use the data read in advance only if it's complete.
        if places.allSatisfy({ read[$0] != nil }) { return read }
        let found = try store.steps(places.map { graph.names[$0] }, of: id)
        return Dictionary(
            found.compactMap { kept in graph.places[kept.step.name].map { (Int($0), kept) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the stored states and results of a step's prerequisites.
    private func given(to step: Int) throws -> [RestoredTask] {
        let needed = needed(by: step)
        let kept = try kept(needed)
        return try needed.compactMap { place in
            // A subworkflow's value is the workflow itself: set the states of its tasks first.
            if graph.subworkflows[Int32(place)] != nil { try placeInside(place) }
            return try kept[place].flatMap { try restored(place, $0) }
        }
    }

    /// Sets the tasks inside a subworkflow to their stored states, for bodies that read its results.
    private func placeInside(_ around: Int) throws {
        let inside = graph.steps.indices.filter { Int(graph.steps[$0].around) == around }
        let kept = try kept(Array(inside))
        for place in inside {
            if graph.subworkflows[Int32(place)] != nil { try placeInside(place) }
            guard let task = try kept[place].flatMap({ try restored(place, $0) }) else { continue }
            graph.parts[Int(graph.steps[place].part)].workflow.place([task])
        }
    }

    private func restored(_ place: Int, _ kept: Kept) throws -> RestoredTask? {
        let state: RestoredTask.State
        switch kept.step.state {
        case .finished: state = .finished(try value(of: place, kept))
        case .failed: state = .failed(KeptFailure(kept.step.failure))
        case .cancelled: state = .cancelled
        case .pending, .running, .waiting: return nil
        }
        return RestoredTask(
            Int(graph.steps[place].number), state, attempt: kept.step.attempt, failures: 0,
            ended: kept.step.ended ?? .distantPast)
    }

    private func value(of place: Int, _ kept: Kept) throws -> (any Sendable)? {
        if let inner = graph.subworkflows[Int32(place)] { return inner }
        // A result computed here takes precedence: the store has none.
        if let made = state.withLock({ $0.made[place] }) { return made.value }
        let codec = graph.facts(place).codec
        // A missing result with a codec that stores nothing is `Void`.
        guard let codec, let data = kept.result else { return codec?.isNothing == true ? () : nil }
        return try codec.value(of: data) { try store.results(of: $0, in: id) }
    }
}
