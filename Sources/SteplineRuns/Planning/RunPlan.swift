import Foundation
import SteplineSupport
import SteplineWorkflow

/// What of a run stands as it was, and what is to be done again: decided from what the store knows of its steps.
///
/// A step stands if it has the same version and prerequisites as then, all that it follows stands too, and its result
/// can be read as far as somebody needs it.
struct RunPlan {
    /// What becomes of a step.
    enum Fate: UInt8 {
        /// It is to be run.
        case open
        /// It could not run, as something that it needs had failed.
        case blocked
        /// It goes on waiting for its next attempt.
        case waiting
        case finished, failed, cancelled
        /// It has finished, and runs again for its result, which wasn't kept and somebody needs.
        case recomputed
        /// It ended with its process once too often.
        case interruptedTooOften
    }

    /// What the store knows of a step, as far as the plan needs it.
    struct Found {
        var state = StepState.pending
        var version = 0
        var links: UInt64 = 0
        var attempt: Int32 = 0
        var failures: Int16 = 0
        var interruptions: Int16 = 0
        var hasResult = false
        var ended: Double = 0
    }

    let graph: RunGraph
    private(set) var found: ContiguousArray<Found>
    private(set) var rare: [Int: (failure: StepFailure?, due: Date?, wait: Double)] = [:]
    private(set) var fates: ContiguousArray<Fate>
    /// Steps whose kept result can't be read.
    private var damaged: Set<Int> = []
    /// Steps whose result was found to be there, or is to be made again.
    private var checked: Set<Int> = []
    /// Of the types whose results were tried: whether one of them couldn't be read.
    private var changedTypes: [ObjectIdentifier: Bool] = [:]
    /// Finished steps that run a workflow in which something is to be run again.
    private var changedInside: Set<Int> = []
    /// Steps whose result isn't kept, and is needed.
    private var wanted: Set<Int> = []
    /// Whether all that a step follows stands.
    private(set) var isUpstreamWhole: ContiguousArray<Bool> = []
    /// What is known of elements of maps, whose tasks are made when the list is there.
    private(set) var elements: [String: StepRecord] = [:]
    /// Results that somebody needs who is to be run.
    private(set) var results: [Int: any Sendable] = [:]

    /// Those of steps that are to be run.
    private(set) var interruptions = Interruptions([:])

    /// `results` reads those of the elements of a map.
    init(
        _ graph: RunGraph, of run: any OpenRun, retryingFailures: Bool,
        _ results: ([String]) throws -> [Data?]
    ) throws {
        self.graph = graph
        found = ContiguousArray(repeating: Found(), count: graph.steps.count)
        fates = ContiguousArray(repeating: .open, count: graph.steps.count)
        wasInterrupted = run.record.openings > 1 && run.record.ending == nil
        try run.forEachStep { record in
            if let place = graph.places[record.name] {
                take(record, at: Int(place))
            } else if graph.map(of: record.name) != nil {
                elements[record.name] = record
            }
        }
        for name in try run.missingResults() {
            if let place = graph.places[name].map(Int.init) ?? graph.map(of: name) { damaged.insert(place) }
        }
        repeat {
            repeat { decide(retryingFailures: retryingFailures) } while findChangesInside()
        } while try !readNeeded(from: run, results)
        interruptions = Interruptions(interruptionCounts)
    }

    private mutating func take(_ record: StepRecord, at place: Int) {
        // A condition, and a step that runs a workflow, has no body that could have ended the process.
        let hasBody = !graph.steps[place].isComposite && !graph.steps[place].isCondition
        let interruptions = !hasBody ? 0 : record.interruptions + (record.state == .running ? 1 : 0)
        found[place] = Found(
            state: record.state, version: record.version, links: record.links,
            attempt: Int32(truncatingIfNeeded: record.attempt), failures: Int16(clamping: record.failures),
            interruptions: Int16(clamping: interruptions),
            hasResult: record.resultSize != nil,
            ended: (record.ended ?? record.began ?? .distantPast).timeIntervalSinceReferenceDate)
        if record.failure != nil || record.due != nil {
            rare[place] = (record.failure, record.due, record.wait)
        }
    }

    // MARK: Deciding

    private mutating func decide(retryingFailures: Bool) {
        isUpstreamWhole = ContiguousArray(repeating: true, count: graph.steps.count)
        for place in graph.steps.indices {
            let step = graph.steps[place]
            var isWhole = true
            if step.around >= 0 { isWhole = isUpstreamWhole[Int(step.around)] && isSame(Int(step.around)) }
            for link in step.links where isWhole {
                let link = graph.links[Int(link)]
                isWhole = stands(Int(link.step), mayFail: link.mayFail)
            }
            isUpstreamWhole[place] = isWhole
            // That a step isn't wanted follows from nothing.
            if (isWhole && isSame(place)) || found[place].state == .cancelled {
                fates[place] = fate(of: place, retryingFailures)
            } else {
                fates[place] = isBlocked(place) ? .blocked : .open
            }
        }
    }

    /// Finds finished steps that run a workflow in which something is to be run, such as a task that is new or has another
    /// version; true if there are such, and all is to be decided once more.
    private mutating func findChangesInside() -> Bool {
        var hasFound = false
        // Inner workflows come after those around them.
        for range in graph.ranges.dropFirst().reversed() where !range.isEmpty {
            let around = Int(graph.steps[range.lowerBound].around)
            guard fates[around] == .finished, range.contains(where: isChange) else { continue }
            fates[around] = .open
            changedInside.insert(around)
            hasFound = true
        }
        return hasFound
    }

    private func isChange(_ place: Int) -> Bool {
        switch fates[place] {
        // A cleanup that had nothing to clean up isn't kept.
        case .open: !(graph.steps[place].isCleanup && found[place].attempt == 0)
        case .waiting: true
        case .blocked, .finished, .failed, .cancelled, .recomputed, .interruptedTooOften: false
        }
    }

    /// Whether the program still has the step as the store knows it.
    func isSame(_ place: Int) -> Bool {
        let facts = graph.facts(place)
        guard found[place].attempt > 0 else { return true }
        return found[place].version == facts.version && facts.isSame(found[place].links)
    }

    private func stands(_ place: Int, mayFail: Bool) -> Bool {
        switch fates[place] {
        case .finished, .recomputed: true
        case .failed, .cancelled, .interruptedTooOften, .blocked: mayFail
        case .open, .waiting: false
        }
    }

    /// Whether nothing was done of a step because of a failure that stands.
    private func isBlocked(_ place: Int) -> Bool {
        guard found[place].state == .pending else { return false }
        return graph.steps[place].links.contains { link in
            let link = graph.links[Int(link)]
            guard !link.mayFail else { return false }
            switch fates[Int(link.step)] {
            case .failed, .cancelled, .interruptedTooOften, .blocked: return true
            case .open, .waiting, .finished, .recomputed: return false
            }
        }
    }

    private func fate(of place: Int, _ retryingFailures: Bool) -> Fate {
        switch found[place].state {
        case .finished where damaged.contains(place) || changedInside.contains(place): .open
        case .finished: wanted.contains(place) ? .recomputed : .finished
        case .failed: retryingFailures ? .open : .failed
        case .cancelled: retryingFailures ? .open : .cancelled
        case .waiting: .waiting
        case .running: found[place].interruptions >= Interruptions.most ? .interruptedTooOften : .open
        case .pending: .open
        }
    }

    /// Reads the results that those need who are to be run; false if one can't be read, and more is to be done again.
    private mutating func readNeeded(
        from run: any OpenRun, _ elements: ([String]) throws -> [Data?]
    ) throws -> Bool {
        var isWhole = true
        for place in graph.steps.indices {
            if isRun(place) {
                for link in graph.steps[place].links {
                    let needed = Int(graph.links[Int(link)].step)
                    if try !provide(needed, from: run, elements) { isWhole = false }
                }
            } else if let codec = graph.facts(place).codec, fates[place] == .finished,
                codec.hasFiles || mayHaveChanged(codec)
            {
                // Nobody else would see that a file is gone, or that the type has other properties than when it was kept.
                // Of a map's elements one is enough to see that.
                let isRead = try read(place, from: run, elements, atMost: 1)
                if codec.isCodable { changedTypes[ObjectIdentifier(codec)] = !isRead }
                if !isRead { isWhole = false }
            }
        }
        return isWhole
    }

    /// Sees that the result of a step that stands is there, and what is inside it; false if a step is to be run for it.
    private mutating func provide(
        _ place: Int, from run: any OpenRun, _ elements: ([String]) throws -> [Data?]
    ) throws -> Bool {
        guard fates[place] == .finished, checked.insert(place).inserted else { return true }
        if graph.facts(place).isRecomputed { return !wanted.insert(place).inserted }
        var isWhole = try read(place, from: run, elements)
        // A body may read the results of all tasks of a workflow that it follows.
        let inside = graph.ranges.first { !$0.isEmpty && Int(graph.steps[$0.lowerBound].around) == place }
        guard graph.subworkflows[Int32(place)] != nil, let inside else { return isWhole }
        for step in inside where !graph.facts(step).isRecomputed {
            if try !provide(step, from: run, elements) { isWhole = false }
            // They lie in the store until they are asked for.
            results[step] = nil
        }
        return isWhole
    }

    /// Reads what is kept of a step that stands; false if that can't be.
    ///
    /// The list of a map's elements is read and not held: its results may be larger than the memory.
    private mutating func read(
        _ place: Int, from run: any OpenRun, _ elements: ([String]) throws -> [Data?],
        atMost count: Int = .max
    ) throws -> Bool {
        guard fates[place] == .finished, results[place] == nil, !damaged.contains(place) else { return true }
        guard found[place].hasResult, let codec = graph.facts(place).codec else { return true }
        do {
            guard let data = try run.result(of: graph.names[place]) else { throw Gone() }
            guard let element = codec.elements, let names = ElementNames.read(data)?.prefix(count) else {
                results[place] = try codec.decode(data)
                return true
            }
            for start in stride(from: 0, to: names.count, by: Self.batch) {
                let some = Array(names[start..<min(start + Self.batch, names.count)])
                for (name, data) in zip(some, try elements(some)) {
                    _ = try element.value(of: data, named: name)
                }
            }
            return true
        } catch let error as RunStoreError where error.code != .resultDamaged {
            throw error
        } catch {
            damaged.insert(place)
            return false
        }
    }

    /// How many results of elements are in memory at once.
    private static let batch = 64

    private struct Gone: Error {}

    /// Whether a result of that type is to be read, though no step needs it: the first one, and all once one can't be read.
    private func mayHaveChanged(_ codec: ResultCodec) -> Bool {
        codec.isCodable && changedTypes[ObjectIdentifier(codec)] != false
    }

    // MARK: What follows

    func isRun(_ place: Int) -> Bool {
        switch fates[place] {
        case .open, .waiting, .recomputed: true
        case .finished, .failed, .cancelled, .blocked, .interruptedTooOften: false
        }
    }

    /// The names of the steps that are run again for nothing but their results.
    var recomputed: Set<String> { Set(wanted.filter { fates[$0] == .recomputed }.map { graph.names[$0] }) }

    /// Whether steps had begun that no process has ended.
    let wasInterrupted: Bool

    /// The steps whose kept result could not be read, or is of another type.
    var unreadable: [String] {
        graph.steps.indices.filter { place in
            damaged.contains(place)
                || found[place].hasResult && graph.facts(place).hasOtherType(found[place].links)
        }.map { graph.names[$0] }
    }
}
