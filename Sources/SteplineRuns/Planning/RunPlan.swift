import Foundation
import SteplineSupport
import SteplineWorkflow

/// The plan of a resumed run: which steps keep their stored state, and which run again.
///
/// A step keeps its state if version and prerequisites are unchanged, all prerequisites keep theirs, and its result is
/// readable where a step needs it. `decide` sets all fates in one pass in graph order. Two findings start the pass
/// again: changes inside a finished subworkflow, and unreadable results. Each adds a step to a set, so the loop ends.
struct RunPlan {
    /// The plan for a step.
    enum Fate: UInt8 {
        /// Run the step.
        case open
        /// Leave the step: a prerequisite has failed.
        case blocked
        /// Continue the back-off to the next attempt.
        case waiting
        case finished, failed, cancelled
        /// Run the finished step again, because its result is needed and wasn't stored.
        case recomputed
        /// Fail the step: it was interrupted too often.
        case interruptedTooOften
    }

    /// The reason why a stored result can't be used.
    enum Damage {
        /// A file of the result is missing or changed.
        case file
        /// The result is missing, or its bytes or its type are unreadable.
        case result
    }

    /// The stored values of a step that the plan needs.
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
    /// Steps whose stored result can't be used.
    private(set) var damaged: [Int: Damage] = [:]
    /// Steps whose result was checked already, or will be computed again.
    private var checked: Set<Int> = []
    /// Whether a stored result of each type was unreadable, for the types tried so far.
    private var changedTypes: [ObjectIdentifier: Bool] = [:]
    /// Finished steps that run a workflow with steps to run.
    private(set) var changedInside: Set<Int> = []
    /// Steps whose result is needed and isn't stored.
    private var needed: Set<Int> = []
    /// Whether all prerequisites of each step keep their state.
    private(set) var isUpstreamWhole: ContiguousArray<Bool> = []
    /// The stored elements of maps.
    private(set) var elements: [String: StepRecord] = [:]
    /// The finished or begun steps of the store that the graph doesn't have.
    private(set) var gone: [String] = []
    /// The first of them that has begun and not ended.
    private(set) var unendedGone: String?
    /// The results that the steps to run need.
    private(set) var results: [Int: any Sendable] = [:]

    /// Whether failed, cancelled and too often interrupted steps run again.
    let retryingFailures: Bool
    /// The interruptions of steps to run.
    private(set) var interruptions = Interruptions([:])

    init(_ graph: RunGraph, of stored: StoredSteps, retryingFailures: Bool) throws {
        self.graph = graph
        self.retryingFailures = retryingFailures
        found = ContiguousArray(repeating: Found(), count: graph.steps.count)
        fates = ContiguousArray(repeating: .open, count: graph.steps.count)
        wasInterrupted = stored.wasInterrupted
        try stored.forEach { record in
            if let place = graph.places[record.name] {
                take(record, at: Int(place))
            } else if graph.map(of: record.name) != nil {
                elements[record.name] = record
            } else if record.state != .pending {
                gone.append(record.name)
                if record.state == .running || record.state == .waiting {
                    unendedGone = unendedGone ?? record.name
                }
            }
        }
        for name in try stored.missing() {
            // An element's missing result opens the map. Its other elements keep their results: `KeptElements` restores
            // them, and only the elements without a readable result run again.
            if let place = graph.places[name].map(Int.init) ?? graph.map(of: name) {
                damaged[place] = .result
            }
        }
        // Each repetition adds at least one step to run, so the loop ends.
        repeat {
            repeat { decide() } while findChangesInside()
        } while try !readNeeded(from: stored)
        interruptions = Interruptions(interruptionCounts)
    }

    private mutating func take(_ record: StepRecord, at place: Int) {
        // A row that is still `running` counts as one interruption more than its row says. Only a new attempt writes
        // that number, so a step that waits for its turn counts the same interruption at each opening. Conditions and
        // composite steps have no body that could have ended the process.
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

    private mutating func decide() {
        isUpstreamWhole = ContiguousArray(repeating: true, count: graph.steps.count)
        for place in graph.steps.indices {
            let step = graph.steps[place]
            var isWhole = true
            // A changed outer task invalidates everything inside.
            if step.around >= 0 { isWhole = isUpstreamWhole[Int(step.around)] && isSame(Int(step.around)) }
            for link in step.links where isWhole {
                let link = graph.links[Int(link)]
                isWhole = stands(Int(link.step), mayFail: link.mayFail)
            }
            isUpstreamWhole[place] = isWhole
            // A cancellation stands even if its prerequisites run again.
            if (isWhole && isSame(place)) || found[place].state == .cancelled {
                fates[place] = fate(of: place)
            } else {
                fates[place] = isBlocked(place) ? .blocked : .open
            }
        }
    }

    /// Reopens finished steps around workflows that have steps to run; returns whether there were any.
    private mutating func findChangesInside() -> Bool {
        var hasFound = false
        // Inner workflows come later in the graph: reverse order propagates a change outwards in one pass.
        for range in graph.ranges.dropFirst().reversed() where !range.isEmpty {
            let around = Int(graph.steps[range.lowerBound].around)
            guard fates[around] == .finished, range.contains(where: isChange) else { continue }
            fates[around] = .open
            changedInside.insert(around)
            hasFound = true
        }
        return hasFound
    }

    func isChange(_ place: Int) -> Bool {
        switch fates[place] {
        // A cleanup without work is never stored.
        case .open: !(graph.steps[place].isCleanup && found[place].attempt == 0)
        case .waiting: true
        case .blocked, .finished, .failed, .cancelled, .recomputed, .interruptedTooOften: false
        }
    }

    /// Returns whether the program's step equals the stored one.
    func isSame(_ place: Int) -> Bool {
        let facts = graph.facts(place)
        guard found[place].attempt > 0 else { return true }
        return found[place].version == facts.version && facts.isSame(found[place].links)
    }

    func stands(_ place: Int, mayFail: Bool) -> Bool {
        switch fates[place] {
        case .finished, .recomputed: true
        case .failed, .cancelled, .interruptedTooOften, .blocked: mayFail
        case .open, .waiting: false
        }
    }

    /// Returns whether a step never ran because of a failure that stands.
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

    private func fate(of place: Int) -> Fate {
        switch found[place].state {
        case .finished where damaged[place] != nil || changedInside.contains(place): .open
        case .finished: needed.contains(place) ? .recomputed : .finished
        case .failed: retryingFailures ? .open : .failed
        case .cancelled: retryingFailures ? .open : .cancelled
        case .waiting: .waiting
        case .running:
            found[place].interruptions >= Interruptions.most && !retryingFailures
                ? .interruptedTooOften : .open
        case .pending: .open
        }
    }

    /// Reads the results that the steps to run need; returns false if one is unreadable and more steps must run.
    private mutating func readNeeded(from stored: StoredSteps) throws -> Bool {
        var isWhole = true
        for place in graph.steps.indices {
            if isRun(place) {
                for link in graph.steps[place].links {
                    let needed = Int(graph.links[Int(link)].step)
                    if try !provide(needed, from: stored) { isWhole = false }
                }
            } else if let codec = graph.facts(place).codec, fates[place] == .finished,
                codec.hasFiles || mayHaveChanged(codec)
            {
                // No later read would detect a missing file or a changed type. One element of a map is enough.
                let isRead = try read(place, from: stored, atMost: 1)
                // Codecs are cached by type, so the object's identity stands for the type.
                if codec.isCodable { changedTypes[ObjectIdentifier(codec)] = !isRead }
                if !isRead { isWhole = false }
            }
        }
        return isWhole
    }

    /// Checks the result of a finished step and of the steps inside; returns false if a step must run for it.
    private mutating func provide(_ place: Int, from stored: StoredSteps) throws -> Bool {
        guard fates[place] == .finished, checked.insert(place).inserted else { return true }
        if graph.facts(place).isRecomputed { return !needed.insert(place).inserted }
        var isWhole = try read(place, from: stored)
        // A body may read the results of all tasks in a subworkflow that it depends on.
        guard graph.subworkflows[Int32(place)] != nil, let inside = graph.range(inside: place) else {
            return isWhole
        }
        for step in inside where !graph.facts(step).isRecomputed {
            if try !provide(step, from: stored) { isWhole = false }
            // Checked only: don't hold these in memory.
            results[step] = nil
        }
        return isWhole
    }

    /// Reads a finished step's result; returns false if that fails.
    ///
    /// Elements of a map are decoded and dropped in batches: together they may exceed the memory.
    private mutating func read(
        _ place: Int, from stored: StoredSteps, atMost count: Int = .max
    ) throws -> Bool {
        guard fates[place] == .finished, results[place] == nil, damaged[place] == nil else { return true }
        guard found[place].hasResult, let codec = graph.facts(place).codec else { return true }
        do {
            guard let data = try stored.result(graph.names[place]) else { throw Gone() }
            guard let element = codec.elements, let names = ElementNames.read(data)?.prefix(count) else {
                results[place] = try codec.decode(data)
                return true
            }
            for start in stride(from: 0, to: names.count, by: Self.batch) {
                let some = Array(names[start..<min(start + Self.batch, names.count)])
                for (name, data) in zip(some, try stored.results(some)) {
                    _ = try element.value(of: data, named: name)
                }
            }
            return true
        } catch let error as RunStoreError where error.code != .resultDamaged {
            throw error
        } catch {
            damaged[place] = error is FilesGone ? .file : .result
            return false
        }
    }

    /// The number of element results in memory at once.
    private static let batch = 64

    private struct Gone: Error {}

    /// Returns whether to try a result of this type: the first one, and all once one was unreadable.
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

    /// The names of the steps that run again only for their results.
    var recomputed: Set<String> { Set(needed.filter { fates[$0] == .recomputed }.map { graph.names[$0] }) }

    /// Whether an earlier process died during the run.
    let wasInterrupted: Bool

    /// The steps whose stored result is unreadable or has another type.
    var unreadable: [String] {
        graph.steps.indices.filter { place in
            damaged[place] != nil
                || found[place].hasResult && graph.facts(place).hasOtherType(found[place].links)
        }.map { graph.names[$0] }
    }
}
