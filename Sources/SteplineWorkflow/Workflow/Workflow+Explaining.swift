import SteplineEngine
public import SteplineSupport

extension Explanation.Code {
    /// The task waits for prerequisites.
    public static let waitsForTasks = Explanation.Code("waitsForTasks")
    /// A task upstream has failed or was cancelled, so the task can't run.
    public static let blocked = Explanation.Code("blocked")
    /// The task waits for slots in pools.
    public static let waitsForPools = Explanation.Code("waitsForPools")
    /// The number of live bodies has reached the workflow's limit.
    public static let limitReached = Explanation.Code("limitReached")
    /// The task becomes Ready once its reset has been reported.
    public static let isNotifying = Explanation.Code("isNotifying")
    /// The body has returned; the end of the attempt is missing.
    public static let returned = Explanation.Code("returned")
    /// The body has returned, and no object can end the attempt any more.
    public static let released = Explanation.Code("released")
    /// The condition isn't fulfilled.
    public static let notFulfilled = Explanation.Code("notFulfilled")
    /// The delay isn't over.
    public static let delayed = Explanation.Code("delayed")
    /// The task is in another workflow, or in none.
    public static let notInWorkflow = Explanation.Code("notInWorkflow")
}

extension Workflow {
    /// Describes the state of a task and what it waits for.
    public func explain(_ task: WorkflowTask) -> Explanation {
        guard let number = task.place(in: core) else {
            return Explanation(of: task.name, .notInWorkflow, "is not in this workflow")
        }
        // The explanation is created without the machine's lock, because it asks the pools.
        let explanation = core.look { $0.situation(number) }.explanation
        guard explanation.code == .running, let inner = (task as? SubworkflowTask)?.subworkflow else {
            return explanation
        }
        let open = inner.core.situations(atMost: 3).map(\.explanation)
        guard !open.isEmpty else { return explanation }
        // Each description is a sentence with a full stop.
        let texts = open.map { $0.description.dropLast() }.joined(separator: ", ")
        return Explanation(
            of: explanation.subject, .running, causes: open.map(\.subject), attempt: explanation.attempt,
            "runs its inner tasks: \(texts)")
    }

    /// Describes the state of a task and what it waits for.
    public func explain<Output>(_ task: TaskRef<Output>) -> Explanation { explain(task.task) }

    /// Describes what keeps the workflow from finishing: the tasks that aren't Finished, at most a hundred.
    ///
    /// The elements of a map over a result follow the map.
    public func explain() -> [Explanation] { core.situations(atMost: 100).map(\.explanation) }
}

extension WorkflowCore {
    /// Returns the situations of the tasks that aren't Finished.
    fileprivate func situations(atMost count: Int) -> [Situation] {
        guard count > 0 else { return [] }
        let (open, maps) = look { machine in
            let open = machine.known.filter { machine.tasks[$0].state != .finished }.prefix(count)
            return (open.map { ($0, machine.situation($0)) }, machine.maps)
        }
        let inside = Dictionary(uniqueKeysWithValues: maps.map { ($0.number, $0.core) })
        var found: [Situation] = []
        for (number, situation) in open where found.count < count {
            found.append(situation)
            if let map = inside[number] { found += map.situations(atMost: count - found.count) }
        }
        return found
    }
}

/// The state of a task as its workflow knows it; the pools are asked later, because they have their own lock.
private struct Situation {
    let name: String
    let code: Explanation.Code
    var causes: [String] = []
    var attempt: Int?
    var text = ""
    /// The request to its pools, and the pools.
    var request: PoolRequest?
    var pools: [ConcurrencyPool] = []

    var explanation: Explanation {
        guard let request else { return Explanation(of: name, code, causes: causes, attempt: attempt, text) }
        let needed = pools.map { ($0.name, $0.pool.position(of: request)) }.sorted { $0.0 < $1.0 }
        // A request waits only in the pools of one reach at a time.
        let awaited = needed.filter { $0.1 != nil }
        // In no queue: the request hasn't reached the pool yet, or has left it.
        let shown = awaited.isEmpty ? needed : awaited
        let lines = shown.map { name, place in
            "pool \(name)\(place.map { ", number \($0) in line" } ?? "")"
        }
        return Explanation(
            of: name, code, causes: shown.map(\.0), "waits for a place in \(lines.joined(separator: ", "))")
    }
}

extension WorkflowMachine {
    fileprivate func situation(_ number: Int32) -> Situation {
        let attempt = Int(tasks[number].attempt.number)
        func situation(_ code: Explanation.Code, _ text: String, _ causes: [String] = []) -> Situation {
            Situation(name: name(number), code: code, causes: causes, attempt: attempt, text: text)
        }
        switch tasks[number].state {
        case .pending: return pending(number, situation)
        case .ready: return ready(number, situation)
        case .executing: return executing(number, attempt, situation)
        case .cancelled: return situation(.cancelled, "was cancelled")
        case .finished: return situation(.succeeded, "is finished")
        case .failed:
            // A stopped body still occupies its slot.
            let rest = tasks[number].attempt.hasBody ? "; its body still runs" : ""
            return situation(.failed, "has failed: \(tasks.failure(number)?.text ?? "no error given")\(rest)")
        }
    }

    private typealias Saying = (Explanation.Code, String, [String]) -> Situation

    private func pending(_ number: Int32, _ say: Saying) -> Situation {
        if tasks[number].blockage != .none {
            let causes = blockers(of: number).map { describe($0) }
            return say(.blocked, "is blocked by \(causes.joined(separator: ", "))", causes)
        }
        if tasks[number].facts.contains(.listenersPending) {
            return say(.isNotifying, "is about to be Ready", [])
        }
        let waited = graph.places(of: number).map { graph.edge(at: $0) }.filter { !isSatisfied($0) }
        let causes = waited.map { describe($0.prerequisite) }
        return say(.waitsForTasks, "waits for \(causes.joined(separator: ", "))", causes)
    }

    private func describe(_ number: Int32) -> String { "\(name(number)) (\(tasks[number].state))" }

    private func ready(_ number: Int32, _ say: Saying) -> Situation {
        // `phase` refines the state Ready: the attempt may be queued, backing off, or waiting for the old body.
        switch tasks[number].attempt.phase {
        case .backingOff: return say(.backingOff, "waits before another attempt", [])
        case .stopping(_, then: .queue), .stopping(_, then: .backOff):
            return say(.waitsForLastBody, "waits for its last body, which still runs", [])
        case .queued: break
        case .waiting, .running, .stopping, .ended:
            return say(.notStarted, "may run, but hasn't been started", [])
        }
        if case .awaited(let request) = rare[live: number].places {
            var situation = say(.waitsForPools, "", [])
            situation.request = request
            situation.pools = rare.options[number]?.pools.keys.map { $0 } ?? []
            return situation
        }
        if rare.heldByBodies.contains(number) {
            let others =
                tasks[number].traits.contains(.cleanup) ? "bodies that it guards" : "cleanup that guards it"
            return say(.waitsForLastBody, "waits for the \(others) to end", [])
        }
        guard tasks.live >= limit else {
            guard isHeldByStore(number) else { return say(.queued, "waits for a thread", []) }
            return say(.limitReached, "waits, as the store has \(Journaling.mostCommits) results to keep", [])
        }
        guard limit > 0 else { return say(.limitReached, "waits, as the run is paused", []) }
        return say(.limitReached, "waits, as \(limit) bodies are live, which is the most allowed", [])
    }

    private func executing(_ number: Int32, _ attempt: Int, _ say: Saying) -> Situation {
        let node = tasks[number]
        // A condition is Executing while it waits, without a body.
        if node.waitsOutside {
            guard rare.delays.contains(number), let delay = rare.options[number]?.timeout else {
                return say(.notFulfilled, "waits to be fulfilled", [])
            }
            return say(.delayed, "waits until its delay of \(delay) is over", [])
        }
        if node.facts.contains(.released) {
            return say(
                .released,
                "has returned and was released without an end (attempt \(attempt)); task.finish ends it",
                [])
        }
        // A subworkflow has no body: its inner tasks are one.
        if node.attempt.phase == .running(.returned), !node.traits.contains(.subworkflow) {
            return say(.returned, "has returned, and waits to be ended (attempt \(attempt))", [])
        }
        return say(.running, "runs (attempt \(attempt))", [])
    }

    /// The Failed and Cancelled tasks upstream that keep a task from running.
    func blockers(of number: Int32) -> [Int32] {
        var found: [Int32] = []
        var seen: Set<Int32> = [number]
        var toVisit = [number]
        while let current = toVisit.popLast() {
            for place in graph.places(of: current) {
                let edge = graph.edge(at: place)
                guard blockage(by: edge) != .none, seen.insert(edge.prerequisite).inserted else { continue }
                if tasks[edge.prerequisite].state == .pending {
                    toVisit.append(edge.prerequisite)
                } else {
                    found.append(edge.prerequisite)
                }
            }
        }
        return found.sorted()
    }
}
