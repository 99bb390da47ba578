import Foundation
import Stepline

/// A step that ends by a timer's callback.
final class CallbackPause: StepOperation, Step, @unchecked Sendable {
    private let length: Duration

    init(_ length: Duration) { self.length = length }

    override func main() {
        SystemClock.shared.schedule(after: length) { self.finish() }
    }
}

/// A step that waits for a timer in an async function.
final class AsyncPause: AsyncStep<Void, Void>, @unchecked Sendable {
    private let length: Duration

    init(_ length: Duration) { self.length = length }

    override func process(_ input: Void) async throws {
        try await SystemClock.shared.sleep(for: length)
    }
}

enum WaitingChains: Benchmark {
    static let name = "waiting-chains"
    static let summary = "10,000 chains of two steps that wait on a timer, all in flight at once"

    private static let count = 10_000
    private static let wait = Duration.seconds(2)

    static func run() throws -> [Finding] {
        let callback = try Child.numbers("waiting", ["callback"])
        let async = try Child.numbers("waiting", ["async"])
        let floor = try Child.numbers("waiting-floor")
        guard callback.count == 3, async.count == 3, floor.count == 2 else { throw ChildFailed(task: name) }
        return [
            Finding("threads while 10,000 wait, callbacks", callback[0], "threads", bound: 16),
            Finding("threads while 10,000 wait, async bodies", async[0], "threads", bound: 16),
            Finding(
                "memory of a waiting chain, callbacks", callback[1], "bytes", bound: 2048,
                rival: "two bare Operations, bytes", rivalValue: floor[0]
            ),
            Finding(
                "memory of a waiting chain, async bodies", async[1], "bytes",
                rival: "two Operations and one sleeping Task, bytes", rivalValue: floor[1]
            ),
            Finding("time beyond the waits, callbacks", callback[2], "seconds"),
            Finding("time beyond the waits, async bodies", async[2], "seconds"),
        ]
    }

    /// In a fresh process: threads, bytes a pipeline, and the seconds it took beyond the waits.
    static func measure(_ kind: String) throws {
        func pipeline(_ length: Duration) throws -> Pipeline {
            let pipeline = Pipeline()
            for _ in 0..<2 {
                try pipeline.addStep(kind == "async" ? AsyncPause(length) : CallbackPause(length))
            }
            return pipeline
        }
        let latch = Latch()
        func awaitEnd(of pipelines: [Pipeline]) {
            for pipeline in pipelines {
                latch.enter()
                pipeline.onEnd { _, _ in latch.leave() }
            }
            latch.wait()
        }
        // Some before, so that the runtimes' own start-up isn't counted.
        let first = try (0..<100).map { _ in try pipeline(.milliseconds(1)) }
        for pipeline in first { try pipeline.start() }
        awaitEnd(of: first)

        let before = processStatus("VmRSS")
        let begin = DispatchTime.now().uptimeNanoseconds
        let pipelines = try (0..<count).map { _ in try pipeline(wait) }
        for pipeline in pipelines { try pipeline.start() }
        // Half of the first wait: by then all bodies wait, and none has ended.
        Thread.sleep(forTimeInterval: wait / .seconds(2))
        let threads = processStatus("Threads")
        let memory = processStatus("VmRSS") - before
        awaitEnd(of: pipelines)
        let elapsed = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        print(threads, Double(memory) / Double(count), elapsed - 2 * (wait / .seconds(1)))
    }

    /// In a fresh process: the bytes of two Operations that do nothing, and those with a Task that sleeps.
    static func measureFloor() {
        let before = processStatus("VmRSS")
        let operations = (0..<2 * count).map { _ in Operation() }
        let bare = Double(processStatus("VmRSS") - before) / Double(count)
        let tasks = (0..<count).map { _ in Task { try await Task.sleep(for: wait) } }
        Thread.sleep(forTimeInterval: wait / .seconds(2))
        let both = Double(processStatus("VmRSS") - before) / Double(operations.count / 2)
        tasks.forEach { $0.cancel() }
        print(bare, both)
    }
}
