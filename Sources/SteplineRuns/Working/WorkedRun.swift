import Foundation
import SteplineSupport
import SteplineWorkflow

/// A run as a worker has built it: its tasks stand still, but for those that the worker runs one by one.
final class WorkedRun: Sendable {
    /// Where a task of it is.
    struct Place: Hashable, Sendable {
        let part: Int
        let number: Int
    }

    private struct State {
        /// Where the elements of maps are, by their steps.
        var elements: [String: Place] = [:]
        /// The attempt of the list that the elements of a map are made of.
        var lists: [Int: Int] = [:]
        /// Results that aren't kept, and were made here for others.
        var made: [Int: (any Sendable)?] = [:]
        /// What was read for several steps that are about to begin.
        var read: [Int: Kept] = [:]
    }

    let id: RunID
    /// What tells it from an earlier run of the same name.
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

    // A workflow and its journal hold each other.
    deinit { for part in graph.parts { part.endJournal() } }

    /// Has all tasks stand still; the ends of those that are run go to `ended`.
    func begin(
        _ signals: UnsentSignals, _ ended: @escaping @Sendable (WorkedRun, Place, JournalEntry) -> Void
    ) throws {
        for (number, part) in graph.parts.enumerated() {
            let journal = AloneJournal(part, of: id, signals) { [weak self] entry in
                if let self { ended(self, Place(part: number, number: entry.number), entry) }
            }
            guard part.begin(journal, { $0.beginAlone($1) }) else {
                throw DurableRunError(.notFresh, id.workflow, "its tasks were run while it was built")
            }
        }
    }

    func part(_ place: Place) -> RunPart { graph.parts[place.part] }

    func facts(_ place: Place) -> StepFacts { part(place).facts(place.number) }

    // MARK: Finding

    /// Where a step is; nil if the program has no such task, or another version of it.
    ///
    /// Reads the list that it is an element of, if it is one.
    func place(of offer: StepOffer) throws -> Place? {
        guard let task = graph.places[offer.task].map(Int.init) else { return nil }
        let own = try offer.task == offer.step ? place(task) : element(offer.step, of: task)
        guard let own else { return nil }
        return !hasVersions || facts(own).version == offer.version ? own : nil
    }

    private func place(_ step: Int) -> Place {
        Place(part: Int(graph.steps[step].part), number: Int(graph.steps[step].number))
    }

    private func element(_ name: String, of map: Int) throws -> Place? {
        if let known = state.withLock({ $0.elements[name] }) { return known }
        let own = place(map)
        let inside = graph.parts.firstIndex { part in
            part.around.map { $0.part === self.part(own) && $0.number == own.number } ?? false
        }
        guard let inside else { return nil }
        part(own).workflow.place(try given(to: map))
        try part(own).workflow.fillMap(own.number)
        let places = (0..<graph.parts[inside].workflow.taskCount).map { number in
            (graph.parts[inside].facts(number).name, Place(part: inside, number: number))
        }
        return state.withLock { state in
            state.elements.merge(places) { $1 }
            return state.elements[name]
        }
    }

    /// Whether the list that a step is an element of is another one than that its map was filled with here.
    ///
    /// Then the run is to be built anew.
    func isStale(_ offer: StepOffer) throws -> Bool {
        guard offer.task != offer.step, let map = graph.places[offer.task].map(Int.init),
            let link = graph.steps[map].links.first
        else { return false }
        let list = graph.names[Int(graph.links[Int(link)].step)]
        let attempt = try store.attempt(of: list, in: id)
        return state.withLock { state in
            let known = state.lists[map] ?? attempt
            state.lists[map] = known
            return known != attempt
        }
    }

    // MARK: Running

    /// A step whose result isn't kept, and that must be run here before the task can be; nil if there is none.
    func missing(before place: Place) -> Place? {
        guard let step = step(at: place) else { return nil }
        for link in graph.steps[step].links {
            let needed = Int(graph.links[Int(link)].step)
            guard graph.facts(needed).isRecomputed, graph.facts(needed).codec == nil,
                state.withLock({ $0.made[needed] == nil })
            else { continue }
            return missing(before: self.place(needed)) ?? self.place(needed)
        }
        return nil
    }

    /// Keeps what was made for others.
    func note(_ value: (any Sendable)?, of place: Place) {
        guard let step = step(at: place) else { return }
        state.withLock { $0.made[step] = .some(value) }
    }

    /// Runs an attempt; false if the last body of the task isn't over.
    func run(_ place: Place, attempt: Int, failures: Int) throws -> Bool {
        let given = try step(at: place).map { try self.given(to: $0) } ?? []
        return part(place).workflow.runAlone(
            place.number, attempt: attempt, failures: failures, behind: given)
    }

    private func step(at place: Place) -> Int? {
        graph.places[facts(place).name].map(Int.init).flatMap { self.place($0) == place ? $0 : nil }
    }

    // MARK: What a task finds

    private typealias Kept = (step: StepRecord, result: Data?)

    /// What was read at once is read again from here on.
    func forgetRead() { state.withLock { $0.read = [:] } }

    /// Reads at once what several steps need that are about to begin.
    func read(for steps: [StepOffer]) throws {
        let needed = Set(
            steps.lazy.filter { $0.task == $0.step }.compactMap { self.graph.places[$0.step] }
                .flatMap { self.needed(by: Int($0)) })
        do {
            let read = try kept(Array(needed))
            state.withLock { $0.read = read }
        } catch let error as RunStoreError where error.code == .resultDamaged {
            // Whose result it is that's damaged is found by each for itself.
        }
    }

    private func needed(by step: Int) -> [Int] {
        graph.steps[step].links.map { Int(graph.links[Int($0)].step) }
    }

    private func kept(_ places: [Int]) throws -> [Int: Kept] {
        guard !places.isEmpty else { return [:] }
        let read = state.withLock { $0.read }
        if places.allSatisfy({ read[$0] != nil }) { return read }
        let found = try store.steps(places.map { graph.names[$0] }, of: id)
        return Dictionary(
            found.compactMap { kept in graph.places[kept.step.name].map { (Int($0), kept) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// How a step's prerequisites stand, with their results.
    private func given(to step: Int) throws -> [RestoredTask] {
        let needed = needed(by: step)
        let kept = try kept(needed)
        return try needed.compactMap { place in
            if graph.subworkflows[Int32(place)] != nil { try placeInside(place) }
            return try kept[place].flatMap { try restored(place, $0) }
        }
    }

    /// Has the tasks inside a subworkflow stand as they do, for who looks at its results.
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
        if let made = state.withLock({ $0.made[place] }) { return made }
        let codec = graph.facts(place).codec
        guard let codec, let data = kept.result else { return codec?.isNothing == true ? () : nil }
        return try codec.value(of: data) { try store.results(of: $0, in: id) }
    }
}
