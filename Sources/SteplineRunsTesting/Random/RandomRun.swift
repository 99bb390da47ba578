import Foundation
import SteplineRuns
import SteplineSupport
import SteplineTesting
package import SteplineWorkflow

/// A workflow with every kind of task, made from a seed, whose results follow from its shape alone.
package struct RandomRun {
    private struct Refused: Error, CustomStringConvertible { let description: String }

    private let seed: UInt64
    private let count: Int

    package init(seed: UInt64, count: Int) {
        self.seed = seed
        self.count = count
    }

    /// Makes it anew; `began` hears of each body.
    package func make(_ began: @escaping @Sendable (String) -> Void = { _ in }) throws -> Workflow {
        var random = Numbers(seed)
        let workflow = Workflow("random", options: WorkflowOptions(grace: .zero))
        try fill(workflow, count, &random, depth: 0, began)
        return workflow
    }

    private func fill(
        _ workflow: Workflow, _ count: Int, _ random: inout Numbers, depth: Int,
        _ began: @escaping @Sendable (String) -> Void
    ) throws {
        var made: [TaskRef<Int>] = []
        for number in 0..<count {
            let name = "\(depth).\(number)"
            let before = (0..<random.below(3)).compactMap { _ in
                made.isEmpty ? nil : made[made.count - 1 - random.below(min(made.count, 8))]
            }
            // What a failed subworkflow leaves behind inside depends on time.
            let fails = random.below(20) == 0 && depth == 0
            let body: @Sendable ([Int]) throws -> Int = { inputs in
                began(name)
                if fails { throw Refused(description: "\(name) is refused") }
                return inputs.reduce(number + 1) { ($0 &* 31 &+ $1) & 0xFFFF }
            }
            switch random.below(10) {
            case 0 where depth == 0:
                let inner = Workflow("inner\(number)", options: WorkflowOptions(grace: .zero))
                try fill(inner, 3, &random, depth: number + 1, began)
                let task = SubworkflowTask(name: name, subworkflow: inner)
                try workflow.add(task, prerequisites: before.map(\.task))
            case 1:
                let condition = try workflow.addCondition(name, of: Int.self)
                try workflow.add("\(name) by") { _ = condition.fulfill(with: number) }
                made.append(condition)
            case 2 where !before.isEmpty:
                made.append(
                    try workflow.add(name, after: before[0].allowingFailure) { result in
                        began(name)
                        return (try? result.get()) ?? -number
                    })
            case 3:
                made.append(
                    try workflow.add(name, afterAll: before) { inputs in
                        await Task.yield()
                        return try body(inputs)
                    })
            case 4:
                let sizes = try workflow.map(name, over: [1, 2, 3]) { element in
                    began("\(name)[\(element - 1)]")
                    return element * number
                }
                made.append(try workflow.add("\(name) sum", after: sizes) { $0.reduce(0, +) })
            case 6 where depth == 0:
                let list = try workflow.add("\(name) list", afterAll: before) { [$0.count, 7, 9] }
                let sizes = try workflow.map(name, over: list, key: { "k\($0)" }) { element in
                    began("\(name)[k\(element)]")
                    return element * number
                }
                made.append(try workflow.add("\(name) sum", after: sizes) { $0.reduce(0, +) })
            case 5 where !before.isEmpty:
                try workflow.addCleanup(name, after: before.map(\.task)) { began(name) }
            default: made.append(try workflow.add(name, afterAll: before, body: body))
            }
        }
    }

    /// How all tasks stand, by name.
    package static func states(_ workflow: Workflow) -> [String: String] {
        var states: [String: String] = [:]
        for task in workflow.allTasks {
            let snapshot = task.snapshot
            var text = "\(snapshot.state)"
            if let inner = (task as? SubworkflowTask)?.subworkflow {
                for (name, state) in Self.states(inner) { states["\(task.name)/\(name)"] = state }
            } else if snapshot.state == .finished {
                text += " \(snapshot.result.map { "\($0)" } ?? "")"
            }
            if let error = snapshot.error { text += " \(error)" }
            states[task.name] = text
        }
        return states
    }
}

/// Numbers from a seed, the same everywhere.
package struct Numbers: Sendable {
    private var state: UInt64
    package init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    package mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
