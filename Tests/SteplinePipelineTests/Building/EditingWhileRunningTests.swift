import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Editing while it runs", .timeLimit(.minutes(5)))
struct EditingWhileRunningTests {
    @Test("PL-25: a step added from inside a step gets the bag of the step before it")
    func fromInside() async throws {
        let seen = Recorder<Int>()
        let pipeline = try makePipeline([
            CallbackStep { step in
                step.content.bodyObject = 7
                let reader = BlockStep { (number: Int) in seen.record(number) }
                do {
                    try step.pipeline?.addStep(BlockStep<Void, Int> { 8 })
                    try step.pipeline?.addStep(reader)
                    step.finish()
                } catch {
                    step.finish(throwing: error)
                }
            }
        ])
        try await pipeline.run()
        #expect(seen.values == [8])
        #expect(pipeline.steps.count == 3)
    }

    @Test("PL-25: each is checked at once, else .checkFailed, and nothing has changed")
    func checkedAtOnce() async throws {
        let gate = Gate()
        let pipeline = try makePipeline([held(at: gate), BlockStep { "text" }])
        try pipeline.start()
        await gate.waitForArrivals()
        let wrong = BlockStep { (_: Int) in }
        let error = try #require(pipelineError { try pipeline.addStep(wrong) })
        #expect(error.code == .checkFailed)
        #expect(error.issues.first?.code == .typeMismatch)
        #expect(error.issues.first?.path == [3])
        #expect(pipeline.steps.count == 2)
        #expect(wrong.pipeline == nil)
        let missing = BlockStep(from: ContentKey<Int>("absent"), to: .nothing) { _ in }
        #expect(pipelineError { try pipeline.addStep(missing) }?.issues.first?.code == .missingInput)
        try pipeline.addStep(BlockStep { (text: String) in text.count })
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(pipeline.output as? Int == 4)
    }

    /// Counts how often it is asked whether its settings are right.
    private final class Asked: StepOperation, Step, @unchecked Sendable {
        private let asked: Recorder<Void>

        init(_ asked: Recorder<Void>) {
            self.asked = asked
            super.init()
        }

        override var configurationProblems: [String] {
            asked.record(())
            return []
        }

        override func main() { finish() }
    }

    @Test("PL-25: a step that comes last is checked alone, by what is known of those before it")
    func checkedAlone() async throws {
        let gate = Gate()
        let asked = Recorder<Void>()
        let number = ContentKey<Int>("number")
        let pipeline = try makePipeline([held(at: gate)])
        try pipeline.start()
        await gate.waitForArrivals()
        for _ in 0..<200 { try pipeline.addStep(Asked(asked)) }
        #expect(asked.count == 200)
        let reader = BlockStep(from: number, to: .nothing) { _ in }
        #expect(pipelineError { try pipeline.addStep(reader) }?.issues.first?.code == .missingInput)
        let last = BlockStep<Void, Int>(to: number) { 1 }
        try pipeline.addStep(last)
        try pipeline.addStep(reader)
        try pipeline.remove(reader)
        try pipeline.remove(last)
        #expect(pipelineError { try pipeline.addStep(reader) }?.issues.first?.code == .missingInput)
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
    }

    @Test("PL-25: after the end the call throws .ended", arguments: ["succeeded", "failed", "cancelled"])
    func afterEnd(word: String) async throws {
        let pipeline = try makePipeline([plain { if word == "failed" { throw Broken() } }])
        if word == "cancelled" { pipeline.cancel() } else { try pipeline.start() }
        #expect(await pipeline.outcome().word == word)
        let step = plain()
        #expect(pipelineError { try pipeline.addStep(step) }?.code == .ended)
        #expect(step.pipeline == nil)
        #expect(pipeline.steps.count == 1)
    }

    @Test("PL-25: however close to the end, a step is refused or taken up, never neither")
    func race() async throws {
        for _ in 0..<300 {
            let log = Recorder<Void>()
            let gate = Gate()
            let pipeline = try makePipeline([held(at: gate)])
            try pipeline.start()
            await gate.waitForArrivals()
            async let added = Self.add(20, to: pipeline, log)
            gate.open()
            let taken = await added
            let outcome = await pipeline.outcome()
            #expect(outcome.word == "succeeded")
            #expect(log.count == taken)
            #expect(pipeline.steps.count == taken + 1)
        }
    }

    /// Adds steps until the pipeline has ended; how many were taken.
    private static func add(_ count: Int, to pipeline: Pipeline<Content>, _ log: Recorder<Void>) async -> Int
    {
        var taken = 0
        for _ in 0..<count {
            let error = pipelineError { try pipeline.addStep(plain { log.record(()) }) }
            guard error == nil else {
                #expect(error?.code == .ended)
                return taken
            }
            taken += 1
        }
        return taken
    }

    @Test("PL-26: steps not yet handed over can be removed, and are free for another pipeline")
    func remove() async throws {
        let gate = Gate()
        let ran = Recorder<String>()
        let running = held(at: gate)
        let steps = ["a", "b", "c", "d"].map { name in plain(name) { ran.record(name) } }
        let pipeline = try makePipeline([running] + steps)
        try pipeline.start()
        await gate.waitForArrivals()
        try pipeline.remove(steps[1])
        try pipeline.removeSteps(from: steps[2])
        #expect(pipelineError { try pipeline.remove(running) }?.code == .positionPassed)
        #expect(pipelineError { try pipeline.removeSteps(from: running) }?.code == .positionPassed)
        #expect(pipeline.steps.count == 2)
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(ran.values == ["a"])
        #expect(steps[2].pipeline == nil)
        #expect(!steps[2].isFinished)
        try await makePipeline(Array(steps[1...])).run()
        #expect(ran.values == ["a", "b", "c", "d"])
    }

    @Test("PL-26: a ready pipeline's steps can all be removed; steps is a snapshot")
    func removeAll() throws {
        let first = plain()
        let pipeline = try makePipeline([first, plain()])
        let snapshot = pipeline.steps
        try pipeline.removeSteps(from: first)
        #expect(pipeline.steps.isEmpty)
        #expect(snapshot.count == 2)
        try makePipeline(snapshot).addStep(plain())
    }

    @Test("PL-26: editing is safe from any thread")
    func threads() async throws {
        let pipeline = Pipeline()
        let kept = Recorder<ObjectIdentifier>()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<50 {
                let step = plain("\(thread).\(round)")
                let error = pipelineError {
                    switch round % 3 {
                    case 0: try pipeline.addStep(step)
                    case 1: try pipeline.insert(step, after: nil)
                    default:
                        try pipeline.addStep(step)
                        try pipeline.remove(step)
                    }
                }
                #expect(error == nil)
                if round % 3 != 2 { kept.record(ObjectIdentifier(step)) }
            }
        }
        #expect(Set(pipeline.steps.map { ObjectIdentifier($0) }) == Set(kept.values))
        #expect(pipeline.steps.count == kept.count)
        try await pipeline.run()
        #expect(pipeline.steps.allSatisfy { $0.isFinished })
    }
}
