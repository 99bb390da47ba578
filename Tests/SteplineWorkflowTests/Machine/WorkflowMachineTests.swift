import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine
@testable import SteplineWorkflow

/// A slow model of a workflow: it counts nothing and looks up everything again.
private struct SlowWorkflow {
    struct Edge {
        let prerequisite: Int
        let allowsFailure: Bool
    }

    let edges: [[Edge]]
    var states: [WorkflowTask.State]

    init(_ edges: [[Edge]]) {
        self.edges = edges
        states = edges.map { $0.isEmpty ? .ready : .pending }
    }

    enum Message: CaseIterable { case start, cancel, reset, retry, finish, fail }

    /// Why a Pending task can't run by itself: 0 nothing, 1 a cancellation, 2 a failure.
    private func hindrance(_ task: Int) -> Int {
        guard states[task] == .pending else { return 0 }
        return edges[task].map { hindrance(by: $0) }.max() ?? 0
    }

    private func hindrance(by edge: Edge) -> Int {
        switch states[edge.prerequisite] {
        case .failed: edge.allowsFailure ? 0 : 2
        case .cancelled: 1
        case .pending where edge.allowsFailure && hindrance(edge.prerequisite) == 2: 0
        case .pending: hindrance(edge.prerequisite)
        case .ready, .executing, .finished: 0
        }
    }

    private func isSatisfied(_ edge: Edge) -> Bool {
        switch states[edge.prerequisite] {
        case .finished: true
        case .failed: edge.allowsFailure
        case .pending: edge.allowsFailure && hindrance(edge.prerequisite) == 2
        case .ready, .executing, .cancelled: false
        }
    }

    private func isRunnable(_ task: Int) -> Bool { edges[task].allSatisfy { isSatisfied($0) } }

    private func downstream(of task: Int) -> [Int] {
        var reached: Set<Int> = [task]
        for other in edges.indices where edges[other].contains(where: { reached.contains($0.prerequisite) }) {
            reached.insert(other)
        }
        return reached.sorted()
    }

    mutating func send(_ message: Message, to task: Int) {
        var waits: Set<Int> = []
        switch message {
        case .start: if states[task] == .ready { states[task] = .executing }
        case .finish: if states[task] == .executing { states[task] = .finished }
        case .fail: if states[task] == .executing { states[task] = .failed }
        case .cancel:
            for other in downstream(of: task) where [.pending, .ready, .executing].contains(states[other]) {
                states[other] = .cancelled
            }
        case .reset:
            for other in downstream(of: task) where states[other] != .pending {
                states[other] = .pending
                waits.insert(other)
            }
        case .retry:
            let reached = downstream(of: task)
            let again = reached.filter { [.failed, .cancelled].contains(states[$0]) }
            for other in again { states[other] = .pending }
            if !again.isEmpty {
                for other in reached where states[other] != .pending && !isRunnable(other) {
                    states[other] = .pending
                }
            }
        }
        proceed(waits)
    }

    /// Begins each task that waits for nothing; a reset task only becomes Ready.
    private mutating func proceed(_ waits: Set<Int>) {
        while let next = states.indices.first(where: { states[$0] == .pending && isRunnable($0) }) {
            states[next] = waits.contains(next) ? .ready : .executing
        }
    }
}

/// A machine on its own, whose bodies are ended by the test.
private struct Bench {
    var machine = WorkflowMachine(name: "bench", options: WorkflowOptions(), calendar: 0)
    var turn = WorkflowTurn()
    var live: [TaskJob] = []
    /// The versions of the prerequisites' ends that each attempt was made from.
    var sources: [Int32: [Int]] = [:]
    var versions: [Int]

    init(_ edges: [[SlowWorkflow.Edge]]) {
        versions = edges.map { _ in 0 }
        for edges in edges {
            let places = edges.map { Int32($0.prerequisite) }
            let allowing = Set(edges.filter(\.allowsFailure).map { Int32($0.prerequisite) })
            places.withUnsafeBufferPointer { places in
                _ = machine.add(
                    .closure { 0 }, "", TaskOptions(), [], after: places, allowing: allowing, &turn)
            }
        }
    }

    private func isRunning(_ job: TaskJob) -> Bool {
        machine.tasks[job.number].attempt.isRunning(job.attempt)
    }

    mutating func send(_ message: SlowWorkflow.Message, to task: Int) {
        let number = Int32(task)
        let job = live.last { $0.number == number && isRunning($0) }
        switch message {
        case .start: machine.start(number, &turn)
        case .cancel: machine.cancel([number], .requested, &turn)
        case .reset: machine.reset([number], &turn)
        case .retry: machine.retry([number], &turn)
        case .finish:
            if let job {
                versions[task] += 1
                // The transition of closures leads to the same.
                if versions[task].isMultiple(of: 2) {
                    var value: (any Sendable)? = versions[task]
                    machine.closureFinished(job.number, job.attempt, &value, &turn)
                } else {
                    machine.bodyEnded(job, .over(.finished(versions[task])), &turn)
                }
            }
        case .fail:
            if let job {
                versions[task] += 1
                let failure = TaskFailure(Broken(number: versions[task]))
                machine.bodyEnded(job, .over(.failed(failure, retryAfter: nil)), &turn)
            }
        }
        proceed()
    }

    /// Bodies that were stopped return, and all begins that may.
    private mutating func proceed() {
        var isMoving = true
        while isMoving {
            machine.endTurn(&turn)
            _ = turn.takeWork()
            while let news = turn.nextNews() {
                if case .settle = news { machine.settle(&turn) }
            }
            isMoving = false
            for job in live where !isRunning(job) {
                machine.bodyReturned(job, isOver: true, &turn)
                isMoving = true
            }
            live = live.filter(isRunning)
            while let job = machine.nextJob(&turn) {
                live.append(job)
                sources[job.number] = ends(before: job.number)
                isMoving = true
            }
        }
    }

    /// The versions of the ends that a task is made from; 0 for a prerequisite that hasn't ended.
    func ends(before number: Int32) -> [Int] {
        machine.graph.prerequisites(of: number).map { prerequisite in
            let hasEnded = [.finished, .failed].contains(machine.tasks[prerequisite].state)
            return hasEnded ? versions[Int(prerequisite)] : 0
        }
    }

    var states: [WorkflowTask.State] { machine.tasks.all.map { machine.tasks[$0].state } }
}

@Suite("The workflow's machine", .timeLimit(.minutes(5)))
struct WorkflowMachineTests {
    @Test("WF-18, WF-27, WF-53 to WF-56: random messages in every order lead where the model says")
    func model() {
        let first = Chance.seed
        for round in 0..<Chance.rounds(120) {
            let seed = first &+ UInt64(round)
            var random = StableRandom(seed: seed)
            let edges = Self.edges(&random)
            var slow = SlowWorkflow(edges)
            var bench = Bench(edges)
            for step in 0..<60 {
                let message = SlowWorkflow.Message.allCases.randomElement(using: &random) ?? .start
                let task = Int.random(in: 0..<edges.count, using: &random)
                slow.send(message, to: task)
                bench.send(message, to: task)
                guard bench.states == slow.states else {
                    Issue.record(
                        "seed \(seed), step \(step): \(message) to \(task) leaves \(bench.states), not \(slow.states), in \(edges)"
                    )
                    return
                }
                for number in bench.machine.tasks.all {
                    let state = bench.states[Int(number)]
                    guard [.executing, .finished, .failed].contains(state) else { continue }
                    guard bench.sources[number] == bench.ends(before: number) else {
                        Issue.record(
                            "seed \(seed), step \(step): task \(number) is made from what is no more")
                        return
                    }
                }
                let counted = bench.states.filter { $0 == .executing }.count
                #expect(
                    bench.machine.tasks.live == counted && bench.machine.tasks.counts[.executing] == counted)
            }
        }
    }

    private static func edges(_ random: inout StableRandom) -> [[SlowWorkflow.Edge]] {
        (0..<Int.random(in: 1...14, using: &random)).map { task in
            let count = Int.random(in: 0...min(3, task), using: &random)
            return Array(0..<task).shuffled(using: &random).prefix(count).map {
                SlowWorkflow.Edge(prerequisite: $0, allowsFailure: Int.random(in: 0..<3, using: &random) == 0)
            }
        }
    }
}
