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

    init(_ graph: RunGraph, of run: any OpenRun, retryingFailures: Bool) throws {
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
        repeat {
            repeat { decide(retryingFailures: retryingFailures) } while findChangesInside()
        } while try !readNeeded(from: run)
        interruptions = Interruptions(interruptionCounts)
    }

    private mutating func take(_ record: StepRecord, at place: Int) {
        // A step that runs a workflow has no body that could have ended the process.
        let isComposite = graph.steps[place].isComposite
        let interruptions = isComposite ? 0 : record.interruptions + (record.state == .running ? 1 : 0)
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
    private mutating func readNeeded(from run: any OpenRun) throws -> Bool {
        var isWhole = true
        for place in graph.steps.indices {
            if isRun(place) {
                for link in graph.steps[place].links {
                    let needed = Int(graph.links[Int(link)].step)
                    if try !provide(needed, from: run) { isWhole = false }
                }
            } else if let codec = graph.facts(place).codec, fates[place] == .finished,
                codec.hasFiles || mayHaveChanged(codec)
            {
                // Nobody else would see that a file is gone, or that the type has other properties than when it was kept.
                let isRead = try read(place, from: run)
                if codec.isCodable { changedTypes[ObjectIdentifier(codec)] = !isRead }
                if !isRead { isWhole = false }
            }
        }
        return isWhole
    }

    /// Sees that the result of a step that stands is there; false if the step is to be run for it.
    private mutating func provide(_ place: Int, from run: any OpenRun) throws -> Bool {
        guard fates[place] == .finished, graph.facts(place).isRecomputed else {
            return try read(place, from: run)
        }
        return !wanted.insert(place).inserted
    }

    /// Reads what is kept of a step that stands; false if that can't be.
    private mutating func read(_ place: Int, from run: any OpenRun) throws -> Bool {
        guard fates[place] == .finished, results[place] == nil, !damaged.contains(place) else { return true }
        guard found[place].hasResult, let codec = graph.facts(place).codec else { return true }
        do {
            guard let data = try run.result(of: graph.names[place]) else { throw Gone() }
            results[place] = try codec.decode(data)
            return true
        } catch let error as RunStoreError where error.code != .resultDamaged {
            throw error
        } catch {
            damaged.insert(place)
            return false
        }
    }

    private struct Gone: Error {}

    /// Whether a result of that type is to be read, though no step needs it: the first one, and all once one can't be read.
    private func mayHaveChanged(_ codec: ResultCodec) -> Bool {
        codec.isCodable && changedTypes[ObjectIdentifier(codec)] != false
    }

    // MARK: What follows

    /// The names of the steps that stand.
    var restored: [String] {
        graph.steps.indices.filter { fates[$0] == .finished }.map { graph.names[$0] }
            + elements.values.filter { $0.state == .finished && stands($0) }.map(\.name).sorted()
    }

    /// The names of the steps that had begun and are run again.
    var again: [String] {
        graph.steps.indices.filter { isRun($0) && found[$0].attempt > 0 }.map { graph.names[$0] }
            + elements.values.filter(isAgain).map(\.name).sorted()
    }

    private func isRun(_ place: Int) -> Bool {
        switch fates[place] {
        case .open, .waiting, .recomputed: true
        case .finished, .failed, .cancelled, .blocked, .interruptedTooOften: false
        }
    }

    /// The names of the steps that are run again for nothing but their results.
    var recomputed: Set<String> { Set(wanted.filter { fates[$0] == .recomputed }.map { graph.names[$0] }) }

    private func isAgain(_ element: StepRecord) -> Bool {
        guard element.attempt > 0, let map = graph.map(of: element.name), isRun(map) else { return false }
        // A map that is run again for its failures runs those of its elements.
        let isOver = element.state == .finished || found[map].state != .failed
        return element.state == .running || element.state == .waiting || !isOver || !stands(element)
    }

    /// Whether steps had begun that no process has ended.
    let wasInterrupted: Bool

    /// The steps whose kept result could not be read, or is of another type.
    var unreadable: [String] {
        graph.steps.indices.filter { place in
            damaged.contains(place)
                || found[place].hasResult && graph.facts(place).hasOtherType(found[place].links)
        }.map { graph.names[$0] }
    }

    private var interruptionCounts: [String: Int] {
        var counts: [String: Int] = [:]
        for place in found.indices where found[place].interruptions > 0 && fates[place] == .open {
            counts[graph.names[place]] = Int(found[place].interruptions)
        }
        for (name, element) in elements where element.state == .running && !isInterruptedTooOften(element) {
            counts[name] = element.interruptions + 1
        }
        return counts
    }
}
