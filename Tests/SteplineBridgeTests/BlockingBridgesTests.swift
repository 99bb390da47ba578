import Stepline
import SteplineTesting
import Testing

/// Synchronous code that waits with its thread for what another layer runs.
@Suite("Blocking bridges", .timeLimit(.minutes(5)))
struct BlockingBridgesTests {
    let manager = TaskManager()
    let deepest = Recorder<Int>()

    @Test("MG-63, PL-45: managed pipelines whose steps wait for managed pipelines end at depth 100")
    func pipelines() async throws {
        try await pipeline(100).run()
        #expect(deepest.values == [100])
    }

    @Test("MG-63, WF-52: managed workflows whose tasks wait for managed workflows end at depth 100")
    func workflows() async throws {
        try await workflow(100).run()
        #expect(deepest.values == [100])
    }

    private func pipeline(_ left: Int) -> Pipeline<Void> {
        Pipeline("\(left)") {
            BlockStep<Void, Void>(to: .nothing) {
                guard left > 1 else { return deepest.record(100) }
                try manager.add(pipeline(left - 1)).wait()
            }
        }
    }

    private func workflow(_ left: Int) throws -> Workflow {
        let outer = Workflow("\(left)")
        try outer.add("body") {
            guard left > 1 else { return deepest.record(100) }
            _ = try manager.add(workflow(left - 1)).wait()
        }
        return outer
    }
}
