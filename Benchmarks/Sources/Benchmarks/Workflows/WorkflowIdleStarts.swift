import Dispatch
import Foundation
import Stepline

/// How soon a task begins that is added to a workflow in which nothing goes on.
enum WorkflowIdleStarts: Benchmark {
    static let name = "workflow-idle-starts"
    static let summary = "from adding a task to an idle workflow to the begin of its body"

    private static let samples = Sizes.of(2000, atLeast: 20)

    static func run() throws -> [Finding] {
        let workflow = Workflow("idle")
        // Keeps the workflow running, with nothing to do.
        let open = try workflow.addCondition("open", of: Void.self)
        try workflow.start()
        var ours: [Double] = []
        var bare: [Double] = []
        for _ in 0..<samples {
            ours.append(
                try startTime { body in
                    _ = try workflow.add("task", body: body)
                })
            bare.append(startTime { body in DispatchQueue.global().async(execute: body) })
        }
        open.fulfill(with: ())
        let shares = [("p50", 0.5), ("p99", 0.99)]
        return shares.map { name, share in
            Finding(
                name, percentile(ours, share) / 1000, "µs", rival: "DispatchQueue.async, µs",
                rivalValue: percentile(bare, share) / 1000)
        }
            + [
                Finding(
                    "p50, of DispatchQueue.async's", ratio: percentile(ours, 0.5) / percentile(bare, 0.5),
                    atMost: 2)
            ].compactMap { $0 }
    }

    /// The nanoseconds until a body begins, handed in when all threads have gone to rest.
    private static func startTime(_ start: (@escaping @Sendable () -> Void) throws -> Void) rethrows -> Double
    {
        usleep(2000)
        let stamp = Stamp()
        let begun = DispatchSemaphore(value: 0)
        let before = DispatchTime.now().uptimeNanoseconds
        try start {
            stamp.take()
            begun.signal()
        }
        begun.wait()
        return Double(stamp.time) - Double(before)
    }
}
