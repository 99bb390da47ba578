import Foundation
import Stepline

enum WaitingChains: Benchmark {
    static let name = "waiting-chains"
    static let summary = "10,000 chains of two asynchronous steps, each waiting on a timer, all in flight at once"

    private static let count = 10_000
    private static let wait = Duration.seconds(2)

    static func run() throws -> [Finding] {
        let numbers = try Child.numbers("waiting")
        let operations = try Child.numbers("operations")
        guard numbers.count == 3, let operation = operations.first else { throw ChildFailed(task: name) }
        return [
            Finding("threads while 10,000 wait", numbers[0], "threads", bound: 16),
            Finding(
                "memory of a waiting pipeline", numbers[1], "bytes", bound: 2048,
                rival: "two bare Operations, bytes", rivalValue: 2 * operation
            ),
            Finding("time for all, over the time waited", numbers[2], "seconds"),
        ]
    }

    /// In a fresh process: threads, bytes a pipeline, and the seconds it took beyond the waits.
    static func measureWaiting() throws {
        let clock = SystemClock.shared
        let pause = BlockStep { (number: Int) -> Int in
            try await clock.sleep(for: wait)
            return number + 1
        }
        var first = Content()
        first.bodyObject = 0
        // Once before, so that the runtimes' own start-up isn't counted.
        let warmUp = Latch()
        let warm = Pipeline { BlockStep { () async throws in try await clock.sleep(for: .milliseconds(1)) } }
        warmUp.enter()
        warm.onEnd { _, _ in warmUp.leave() }
        try warm.start()
        warmUp.wait()

        let before = processStatus("VmRSS")
        let latch = Latch()
        let begin = DispatchTime.now().uptimeNanoseconds
        var pipelines: [Pipeline] = []
        pipelines.reserveCapacity(count)
        for _ in 0..<count {
            let pipeline = Pipeline(content: first)
            try pipeline.addStep(pause.makeCopy())
            try pipeline.addStep(pause.makeCopy())
            latch.enter()
            pipeline.onEnd { _, _ in latch.leave() }
            try pipeline.start()
            pipelines.append(pipeline)
        }
        // Half of the first wait: by then all bodies wait, and none has ended.
        Thread.sleep(forTimeInterval: wait / .seconds(2))
        let threads = processStatus("Threads")
        let memory = processStatus("VmRSS") - before
        latch.wait()
        let elapsed = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        print(threads, Double(memory) / Double(count), elapsed - 2 * (wait / .seconds(1)))
    }

    /// In a fresh process: the bytes of an `Operation` that does nothing.
    static func measureOperations() {
        let before = processStatus("VmRSS")
        let operations = (0..<100_000).map { _ in Operation() }
        print(Double(processStatus("VmRSS") - before) / Double(operations.count))
    }
}
