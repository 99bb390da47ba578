import Foundation

/// The stored elements of maps in a plan.
///
/// A run creates the tasks of elements when the list is known, and restores their states with the rules of
/// `KeptElements`. A plan can't know new elements, nor which elements a list still has that runs again. Cleared
/// elements are left out: they may belong to an earlier list.
struct ElementsPreview {
    /// The number of results that are read at once.
    private static let batch = 256

    private let plan: RunPlan
    private let stored: StoredSteps

    init(_ plan: RunPlan, of stored: StoredSteps) {
        self.plan = plan
        self.stored = stored
    }

    /// Returns the elements of each map, sorted by name.
    func byMap(
        starts: ContiguousArray<Bool>, _ words: RunPlan.VersionWords
    ) -> [Int: [PlannedStep]] {
        var elements: [Int: [StepRecord]] = [:]
        for record in plan.elements.values where record.state != .pending {
            guard let map = plan.graph.map(of: record.name) else { continue }
            elements[map, default: []].append(record)
        }
        return elements.reduce(into: [:]) { steps, of in
            let (map, records) = (of.key, of.value.sorted { $0.name < $1.name })
            // The map keeps its state or is skipped: none of its elements runs.
            guard starts[map] else {
                steps[map] = records.map { left($0, by: map) }
                return
            }
            let unreadable = unreadable(records, of: map)
            steps[map] = records.map { step($0, of: map, unreadable, words) }
        }
    }

    /// Returns an element of a map that doesn't start.
    private func left(_ element: StepRecord, by map: Int) -> PlannedStep {
        switch element.state {
        // The element belongs to a changed list or version: a run clears the stored state.
        case _ where !plan.stands(element): break
        case .finished: return PlannedStep(element.name, .kept, .finished)
        case .failed: return PlannedStep(element.name, .kept, .failed)
        case .cancelled: return PlannedStep(element.name, .kept, .cancelled)
        case .running where plan.isInterruptedTooOften(element):
            return PlannedStep(element.name, .kept, .interruptedTooOften)
        case .pending, .running, .waiting: break
        }
        return PlannedStep(element.name, .skipped, .prerequisiteFailed, because: [plan.graph.names[map]])
    }

    private func step(
        _ element: StepRecord, of map: Int, _ unreadable: Set<String>, _ words: RunPlan.VersionWords
    ) -> PlannedStep {
        let (facts, name) = (plan.graph.facts(map), element.name)
        func runs(
            _ reason: PlannedStep.Reason, because: [String] = [], change: String? = nil
        ) -> PlannedStep {
            PlannedStep(
                name, .runs, reason, because: because, change: change,
                mayBeRestored: facts.mapped?.areCached == true)
        }
        // Before `stands`, which is false for another version too and would hide this reason.
        if element.version != facts.version {
            let (reason, because, change) = plan.changed(from: element.version, to: facts.version, words)
            return runs(reason, because: because, change: change)
        }
        guard plan.stands(element) else {
            let because = plan.reason(map, words).because
            return runs(.prerequisiteRuns, because: because.isEmpty ? [plan.graph.names[map]] : because)
        }
        guard facts.mapped?.isSame(element) != false else { return runs(.resultTypeChanged) }
        switch element.state {
        case .running where plan.isInterruptedTooOften(element):
            return PlannedStep(name, .kept, .interruptedTooOften)
        case .running, .pending: return runs(.interrupted)
        case .waiting: return runs(.retryDue)
        case .failed: return plan.retryingFailures ? runs(.failedBefore) : PlannedStep(name, .kept, .failed)
        case .cancelled:
            return plan.retryingFailures ? runs(.cancelledBefore) : PlannedStep(name, .kept, .cancelled)
        // The map needs the results of all elements, and none of them is stored.
        case .finished where facts.mapped?.areRecomputed == true:
            return runs(.resultNotStored, because: [plan.graph.names[map]])
        case .finished where unreadable.contains(name): return runs(.resultUnreadable)
        case .finished: return PlannedStep(name, .kept, .finished)
        }
    }

    /// Returns the finished elements of a map whose results a run can't read.
    private func unreadable(_ records: [StepRecord], of map: Int) -> Set<String> {
        guard let codec = plan.graph.facts(map).mapped?.codec else { return [] }
        let names = records.filter { element in
            // Without a size, no bytes are stored that could be unreadable.
            element.state == .finished && element.resultSize != nil && plan.stands(element)
        }.map(\.name)
        var unreadable: Set<String> = []
        for start in stride(from: 0, to: names.count, by: Self.batch) {
            let some = Array(names[start..<min(start + Self.batch, names.count)])
            if let data = try? stored.results(some), data.allSatisfy({ isReadable($0, codec) }) { continue }
            // One of the results is damaged: read them one by one.
            unreadable.formUnion(
                some.filter { name in !isReadable((try? stored.result(name)) ?? nil, codec) })
        }
        return unreadable
    }

    private func isReadable(_ data: Data?, _ codec: ResultCodec) -> Bool {
        data.flatMap { try? codec.restore($0) } != nil
    }
}
