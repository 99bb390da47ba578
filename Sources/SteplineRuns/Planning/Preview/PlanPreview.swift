import SteplineWorkflow

/// The steps of a plan for a user, made from the plan that a run would follow.
///
/// `RunPlan` decides which steps keep their state. The preview adds what a run finds out later:
///
/// - Steps that the plan opens, and whose prerequisites can't finish, never start.
/// - A standing failure cancels the other tasks of a workflow with `onFailure: .cancelOthers`.
/// - Cleanups start if a task that they guard has begun or begins.
/// - Elements of maps keep their results if these are readable.
/// - Steps may take results of other runs.
///
/// One pass in graph order, like that of the plan. Nothing is written; results are read where a run reads them.
struct PlanPreview {
    private let plan: RunPlan
    private let words: RunPlan.VersionWords
    private let cached: CachedPreview
    /// Whether each step starts, if all bodies succeed.
    private var starts: ContiguousArray<Bool>
    /// The failed step that cancels the other steps of each part.
    private var cancelling: [Int32: Int] = [:]

    private var graph: RunGraph { plan.graph }

    init(
        _ plan: RunPlan, of stored: StoredSteps, in cache: ResultCache, of id: RunID,
        _ words: @escaping RunPlan.VersionWords
    ) {
        self.plan = plan
        self.words = words
        starts = ContiguousArray(repeating: false, count: plan.graph.steps.count)
        cached = CachedPreview(plan, of: stored, in: cache, of: id)
        findCancelled()
        for place in graph.steps.indices { starts[place] = canStart(place) }
    }

    /// Returns the steps in the order of the workflow, each followed by the steps inside it; `elements` are sorted.
    func steps(_ elements: ElementsPreview) -> [PlannedStep] {
        let (found, unknown) = cached.find(starts)
        let needing = dependentsToRun
        let elements = elements.byMap(starts: starts, words)
        var steps: [PlannedStep] = []
        // A stack instead of recursion: workflows nest without a limit.
        var rest = Array((graph.ranges.first ?? 0..<0).reversed())
        while let place = rest.popLast() {
            steps.append(step(place, found[place], unknown.contains(place), needing[place] ?? []))
            steps += elements[place] ?? []
            // Reversed: the stack returns the last element first.
            if let inside = graph.range(inside: place) { rest += inside.reversed() }
        }
        return steps + plan.gone.map { PlannedStep($0, .gone, .notInWorkflow) }
    }

    private func step(_ place: Int, _ source: RunID?, _ isUnknown: Bool, _ needing: [String]) -> PlannedStep {
        let name = graph.names[place]
        switch plan.fates[place] {
        case .finished: return PlannedStep(name, .kept, .finished)
        case .failed: return PlannedStep(name, .kept, .failed)
        case .cancelled: return PlannedStep(name, .kept, .cancelled)
        case .interruptedTooOften: return PlannedStep(name, .kept, .interruptedTooOften)
        case .blocked: return PlannedStep(name, .skipped, .prerequisiteFailed, because: hindrances(of: place))
        // The plan runs these steps. Below, `starts` decides whether their prerequisites let them.
        case .open, .waiting, .recomputed: break
        }
        guard starts[place] else {
            let because = hindrances(of: place)
            if because.isEmpty { return PlannedStep(name, .skipped, .notNeeded) }
            return PlannedStep(name, .skipped, .prerequisiteFailed, because: because)
        }
        if let source { return PlannedStep(name, .restored, .cached, source: source) }
        let (reason, because, change) = plan.reason(place, words)
        return PlannedStep(
            name, .runs, reason, because: needing + because, change: change,
            mayBeRestored: isUnknown)
    }

    /// The dependents that run, of each step that runs for its result only.
    private var dependentsToRun: [Int: [String]] {
        var dependents: [Int: [String]] = [:]
        for place in graph.steps.indices where plan.isRun(place) {
            for link in graph.steps[place].links {
                let prerequisite = Int(graph.links[Int(link)].step)
                guard plan.fates[prerequisite] == .recomputed else { continue }
                dependents[prerequisite, default: []].append(graph.names[place])
            }
        }
        return dependents
    }

    // MARK: What starts

    private func canStart(_ place: Int) -> Bool {
        let step = graph.steps[place]
        // The task around comes first in the graph, so `starts` has its decision already.
        guard plan.isRun(place), step.around < 0 || starts[Int(step.around)] else { return false }
        if step.isCleanup {
            // The guarded task may also have begun in an earlier process.
            return step.links.contains { link in
                let guarded = Int(graph.links[Int(link)].step)
                return starts[guarded] || plan.found[guarded].attempt > 0
            }
        }
        return cancelling[step.part] == nil && step.links.allSatisfy { !hinders(graph.links[Int($0)]) }
    }

    /// Returns whether a prerequisite has no result and won't have one.
    private func hinders(_ link: RunGraph.Link) -> Bool {
        // A recomputed prerequisite isn't finished, but starts, and has its result in time.
        !link.mayFail && plan.fates[Int(link.step)] != .finished && !starts[Int(link.step)]
    }

    /// Returns the steps for which a step doesn't start; empty for a cleanup that isn't needed.
    private func hindrances(of place: Int) -> [String] {
        let step = graph.steps[place]
        let around = Int(step.around)
        if around >= 0, !starts[around], plan.fates[around] != .finished { return [graph.names[around]] }
        // No guarded task begins: no other step is the cause.
        if step.isCleanup { return [] }
        if let failed = cancelling[step.part] { return [graph.names[failed]] }
        return step.links.map { graph.links[Int($0)] }.filter(hinders).map { graph.names[Int($0.step)] }
    }

    private mutating func findCancelled() {
        for place in graph.steps.indices {
            let step = graph.steps[place]
            let workflow = graph.parts[Int(step.part)].workflow
            // The first standing failure of a part, in graph order, is reported as the cause.
            guard [.failed, .interruptedTooOften].contains(plan.fates[place]), cancelling[step.part] == nil,
                workflow.options.onFailure == .cancelOthers, workflow.isFatal(Int(step.number))
            else { continue }
            cancelling[step.part] = place
        }
    }
}
