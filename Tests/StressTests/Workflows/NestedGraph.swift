import Foundation
import Stepline
import SteplineSupport
import SteplineTesting

/// A random graph of every kind of task: blocking and async bodies, maps, pipelines, subworkflows, cleanups.
final class NestedGraph: Sendable {
    struct RandomFailure: Error {}

    let seed: UInt64
    private let isPlayed: Bool
    let workflow: Workflow
    /// All workflows, from the outermost on.
    let workflows: [Workflow]
    /// Shared by all workflows.
    let pool: ConcurrencyPool
    let queue = OperationQueue()
    /// The condition that the outermost workflow waits for, in a simulation.
    let condition: TaskRef<Bool>?
    private let luck = Gate()
    private let draws = Recorder<Void>()

    /// A simulated graph has no threads of its own and no operation queue, and waits for a condition.
    init(seed: UInt64, isPlayed: Bool = false) throws {
        self.seed = seed
        self.isPlayed = isPlayed
        var random = StableRandom(seed: seed)
        let pool = ConcurrencyPool("pool", capacity: Int.random(in: 1...3, using: &random))
        // A wait for the grace would exceed the test's limit.
        let options = WorkflowOptions(
            maximumConcurrency: Bool.random(using: &random) ? nil : Int.random(in: 1...3, using: &random),
            grace: .seconds(3_600))
        self.pool = pool
        let hasQueue = Int.random(in: 0..<3, using: &random) == 0 && !isPlayed
        let workflow = Workflow("stress", queue: hasQueue ? queue : nil, options: options)
        let inner = Workflow("inner", options: options)
        let innermost = Workflow("innermost", options: options)
        self.workflow = workflow
        workflows = [workflow, inner, innermost]
        condition = isPlayed ? try workflow.addCondition("go", of: Bool.self) : nil
        try fill(innermost, 2, &random)
        try fill(inner, 4, &random)
        try inner.add(SubworkflowTask(name: "innermost", subworkflow: innermost))
        try fill(workflow, 8, &random)
        let around = try workflow.add(SubworkflowTask(name: "inner", subworkflow: inner))
        try workflow.add("behind", following: [TaskRef<Workflow>(around)]) { try self.draw() }
        if let condition { try workflow.add("gone", after: condition) { _ in try self.draw() } }
        try workflow.addCleanup("clean", after: workflow.allTasks) { await Task.yield() }
    }

    /// Bodies fail no more.
    func turnLuck() { luck.open() }

    private func draw() throws {
        draws.record(())
        var random = StableRandom(seed: seed &+ UInt64(draws.count))
        if !luck.isOpen, Int.random(in: 0..<5, using: &random) == 0 { throw RandomFailure() }
    }

    private func fill(_ workflow: Workflow, _ count: Int, _ random: inout StableRandom) throws {
        var refs: [TaskRef<Int>] = []
        for number in 0..<count {
            var options = TaskOptions()
            if Int.random(in: 0..<3, using: &random) == 0 {
                options.retry = .constant(attempts: 2, delay: .zero, when: { $0 is RandomFailure })
            }
            if Int.random(in: 0..<4, using: &random) == 0 { options.pools = [pool: 1] }
            let before = refs.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
            refs.append(try add("\(number)", to: workflow, following: Array(before), options, &random))
        }
    }

    private func add(
        _ name: String, to workflow: Workflow, following before: [TaskRef<Int>], _ options: TaskOptions,
        _ random: inout StableRandom
    ) throws -> TaskRef<Int> {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return try workflow.add(name, following: before, options: options) { [self] () throws -> Int in
                try draw()
                return 1
            }
        case 1:
            return try workflow.add(name, following: before, options: options) { [self] () throws -> Int in
                if !isPlayed { holdThread() }
                try draw()
                return 1
            }
        case 2:
            return try workflow.add(name, following: before, options: options) {
                [self] () async throws -> Int in
                await Task.yield()
                try Task.checkCancellation()
                try draw()
                return 1
            }
        case 3:
            let list = try workflow.add("\(name) list", following: before) { [1, 2, 3] }
            let limit = Bool.random(using: &random) ? 1 : nil
            let map = try workflow.map("\(name) map", over: list, limit: limit, options: options) {
                [self] number async throws in
                await Task.yield()
                try draw()
                return number
            }
            return try workflow.add(name, after: map) { $0.count }
        case 4:
            let map = try workflow.map("\(name) map", over: [1, 2, 3], limit: 2, options: options) {
                [self] number in
                try draw()
                return number
            }
            let sum = try workflow.add("\(name) sum", after: map) { $0.count }
            return try workflow.add(name, following: before + [sum]) { 1 }
        default:
            let first = try before.first ?? workflow.add("\(name) first") { 1 }
            return try workflow.addPipeline(name, after: first, options: options) {
                BlockStep { [self] (number: Int) throws -> Int in
                    try draw()
                    return number
                }
                BlockStep { (number: Int) async throws -> Int in
                    await Task.yield()
                    return number
                }
            }
        }
    }
}
