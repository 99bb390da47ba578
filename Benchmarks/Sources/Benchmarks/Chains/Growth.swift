import Foundation
import Stepline

enum Growth: Benchmark {
    static let name = "growth"
    static let summary = "from 10,000 to 1,000,000 steps in all, kept in memory: time and memory a step"

    static func run() throws -> [Finding] {
        let sizes = [10_000, 100_000, 1_000_000]
        let costs = try sizes.map { try Child.numbers("growth", ["\($0)"]) }
        guard let small = costs.first, let large = costs.last, small.count == 2, large.count == 2 else {
            throw ChildFailed(task: name)
        }
        let rows = zip(sizes, costs).flatMap { size, cost in
            [
                Finding("a step, \(size) in all", cost[0], "ns"),
                Finding("memory of a step, \(size) in all", cost[1], "bytes"),
            ]
        }
        return rows + [
            Finding("time a step, of 1,000,000 to 10,000", large[0] / small[0], "times", bound: 2),
            Finding("memory a step, of 1,000,000 to 10,000", large[1] / small[1], "times", bound: 1.2),
        ]
    }

    /// In a fresh process: nanoseconds and bytes a step, with all pipelines kept.
    static func measure(_ steps: Int) throws {
        runPipelines(1000, steps: 4)
        var first = Content()
        first.bodyObject = 0
        let before = processStatus("VmRSS")
        var pipelines: [Pipeline] = []
        pipelines.reserveCapacity(steps / 4)
        let time = try nanoseconds {
            let latch = Latch()
            for _ in 0..<steps / 4 {
                let pipeline = Pipeline(content: first)
                for _ in 0..<4 { try pipeline.addStep(AddOne()) }
                latch.enter()
                pipeline.onEnd { _, _ in latch.leave() }
                try pipeline.start()
                pipelines.append(pipeline)
            }
            latch.wait()
        }
        print(time / Double(steps), Double(processStatus("VmRSS") - before) / Double(steps))
    }
}
