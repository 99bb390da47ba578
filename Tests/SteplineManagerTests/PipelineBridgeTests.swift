import Stepline
import SteplineManager
import SteplineTesting
import Testing

@Suite("Pipelines as managed tasks", .timeLimit(.minutes(5)))
struct PipelineBridgeTests {
    @Test("MG-65: a pipeline's result is what it makes; added again it runs a copy")
    func running() async throws {
        let manager = TaskManager(), runs = Recorder<Int>()
        let pipeline = Pipeline("numbers") {
            BlockStep { () -> Int in
                runs.record(1)
                return 7
            }
        }
        for _ in 0..<2 {
            #expect(try await manager.run(pipeline) == 7)
        }
        #expect(runs.count == 2)
    }

    @Test("MG-66: a pipeline cancelled from outside ends its handle as cancelled; no reactor is asked")
    func cancelled() async throws {
        let asked = Recorder<Int>(), gate = Gate()
        let manager = TaskManager(reactors: [
            Reacting(asks: { _, _ in
                asked.record(1)
                return false
            })
        ])
        let pipeline = Pipeline("waiting") {
            BlockStep { () async throws -> Int in
                await gate.wait()
                return 1
            }
        }
        let handle = manager.add(pipeline)
        await gate.waitForArrivals()
        pipeline.cancel("enough")
        gate.open()
        #expect(await handle.endCode == .cancelled)
        #expect(handle.state == .finished(.cancelled) && asked.count == 0)
    }
}
