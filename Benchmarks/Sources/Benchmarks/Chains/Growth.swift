import Foundation
import Stepline

enum Growth: Benchmark {
    static let name = "growth"
    static let summary = "from 10,000 to 1,000,000 steps in all, kept in memory: time and memory a step"

    static func run() throws -> [Finding] {
        // The smallest fits in the caches; from the second to the third only growth is left to see.
        let sizes = [10_000, 250_000, 1_000_000].map { Sizes.of($0, atLeast: 400) }
        let rows = try sizes.map { size in
            // The quickest of three: what else the machine does only ever adds.
            let costs = try (0..<3).map { _ in try Child.numbers("growth", ["\(size)"]) }
            guard let cost = costs.filter({ $0.count == 2 }).min(by: { $0[0] < $1[0] }) else {
                throw ChildFailed(task: name)
            }
            let touch = try Child.numbers("growth-floor", ["\(size)", "\(Int(cost[1]))"])
            guard touch.count == 1 else { throw ChildFailed(task: name) }
            return (size: size, time: cost[0], memory: cost[1], touch: touch[0])
        }
        let growth = (rows[2].time - rows[2].touch) / (rows[1].time - rows[1].touch)
        return rows.flatMap { row in
            [
                Finding(
                    "a step, \(row.size) in all", row.time, "ns",
                    rival: "touching as much fresh memory, ns", rivalValue: row.touch
                )
            ]
                + (row.size == sizes[2]
                    ? Kept.memory("memory of a step, \(row.size) in all", row.memory)
                    : [Finding("memory of a step, \(row.size) in all", row.memory, "bytes")])
        } + [
            Finding("time beyond touching, 1,000,000 to 250,000", growth, "times", bound: 1.5),
            Finding("memory, 1,000,000 to 250,000", rows[2].memory / rows[1].memory, "times", bound: 1.1),
        ]
    }

    /// In a fresh process: the nanoseconds a step that the system takes for memory nobody has touched yet.
    static func measureFloor(_ steps: Int, bytes: Int) {
        let time = nanoseconds {
            let block = UnsafeMutableRawPointer.allocate(byteCount: steps * bytes, alignment: 4096)
            for page in stride(from: 0, to: steps * bytes, by: 4096) {
                block.storeBytes(of: 1, toByteOffset: page, as: UInt8.self)
            }
        }
        print(time / Double(steps))
    }

    /// In a fresh process: nanoseconds and bytes a step, with all pipelines kept.
    static func measure(_ steps: Int) throws {
        runPipelines(1000, steps: 4)
        var first = Content()
        first.bodyObject = 0
        let before = processStatus("VmRSS")
        var pipelines: [Pipeline<Content>] = []
        pipelines.reserveCapacity(steps / 4)
        let time = try nanoseconds {
            let latch = Latch()
            for _ in 0..<steps / 4 {
                let pipeline = Pipeline(content: first)
                for _ in 0..<4 { try pipeline.addStep(AddOne()) }
                latch.enter()
                pipeline.onEnd { _ in latch.leave() }
                try pipeline.start()
                pipelines.append(pipeline)
            }
            latch.wait()
        }
        print(time / Double(steps), Double(processStatus("VmRSS") - before) / Double(steps))
    }
}
