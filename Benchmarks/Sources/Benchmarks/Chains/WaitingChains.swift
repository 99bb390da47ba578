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

    private static let count = Sizes.of(10_000, atLeast: 100)
    /// A number of chains that could still have a thread each.
    private static let few = Sizes.of(100, atLeast: 10)
    private static let wait = Duration.seconds(2)

    static func run() throws -> [Finding] {
        let floor = try Child.numbers("waiting-floor")
        guard floor.count == 2 else { throw ChildFailed(task: "waiting-floor") }
        let callbacks = try rows(
            "callbacks", "callback", rival: "two bare Operations, bytes", floor[0])
        let asyncs = try rows(
            "async bodies", "async", rival: "two Operations and one sleeping Task, bytes", floor[1])
        return callbacks.findings + asyncs.findings + [
            Finding(
                "memory of a waiting chain, callbacks, of two bare Operations", callbacks.bytes / floor[0],
                "times", bound: 1.75)
        ]
    }

    private static func rows(_ title: String, _ kind: String, rival: String, _ floor: Double) throws
        -> (findings: [Finding], bytes: Double)
    {
        let numbers = try Child.numbers("waiting", [kind, "\(count)"])
        let fewNumbers = try Child.numbers("waiting", [kind, "\(few)"])
        guard numbers.count == 3, fewNumbers.count == 3 else { throw ChildFailed(task: "waiting") }
        let (threads, bytes, time) = (numbers[0], numbers[1], numbers[2])
        let findings =
            [
                Finding(
                    "threads while 10,000 wait, \(title)", threads, "threads", rival: "100 wait, threads",
                    rivalValue: fewNumbers[0]),
                Finding(
                    "threads while 10,000 wait, of those while 100 do, \(title)", threads / fewNumbers[0],
                    "times", bound: 2),
            ]
            + Kept.memory(
                "memory of a waiting chain, \(title)", bytes, rival: rival, rivalValue: floor)
            + [Finding("time beyond the waits, \(title)", time, "seconds")]
        return (findings, bytes)
    }

    /// In a fresh process: threads, bytes a pipeline, and the seconds it took beyond the waits.
    static func measure(_ kind: String, _ count: Int) throws {
        func pipeline(_ length: Duration) throws -> Pipeline<Content> {
            let pipeline = Pipeline()
            for _ in 0..<2 {
                try pipeline.addStep(kind == "async" ? AsyncPause(length) : CallbackPause(length))
            }
            return pipeline
        }
        let latch = Latch()
        func awaitEnd(of pipelines: [Pipeline<Content>]) {
            for pipeline in pipelines {
                latch.enter()
                pipeline.onEnd { _ in latch.leave() }
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
