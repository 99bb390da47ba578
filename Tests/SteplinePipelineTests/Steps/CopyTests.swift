import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Copies of steps", .timeLimit(.minutes(5)))
struct StepCopyTests {
    private class Parent: BasicStep<Void, Int>, @unchecked Sendable {
        override func process(_ input: Void) -> Int { 1 }
        override func makeCopy() throws -> any Step { Parent() }
    }

    private final class Child: Parent, @unchecked Sendable {}

    private func configured() -> BlockStep<Int, String> {
        BlockStep(from: ContentKey<Int>("number"), to: ContentKey<String>("text")) { "\($0)!" }
            .named("format").on(OperationQueue()).retrying(.constant(attempts: 4)).timeout(.seconds(9))
            .weight(2.5)
    }

    @Test("PL-12, PL-20: a block's copy keeps closure, keys, queue and every option, and no state")
    func block() async throws {
        let step = configured()
        step.content["number"] = 5
        await step.runAlone()
        #expect(step.content["text"] as? String == "5!")
        let copy = try #require(step.makeCopy() as? BlockStep<Int, String>)
        #expect(copy !== step)
        #expect(!copy.isFinished)
        #expect(copy.content.names.isEmpty)
        #expect(copy.error == nil)
        #expect(copy.inputs == step.inputs)
        #expect(copy.outputs == step.outputs)
        #expect(copy.options.name == "format")
        #expect(copy.options.queue === step.options.queue)
        #expect(copy.options.retry?.attempts == 4)
        #expect(copy.options.timeout == .seconds(9))
        #expect(copy.options.weight == 2.5)
        copy.content["number"] = 6
        await copy.runAlone()
        #expect(copy.content["text"] as? String == "6!")
    }

    @Test("PL-12: a copy of a failed step has no error, one of a cancelled step isn't cancelled")
    func failedStep() async {
        let step = plain { throw Broken() }
        await step.runAlone()
        #expect(step.error is Broken)
        let copy = step.makeCopy()
        #expect(copy.error == nil)
        let cancelled = plain()
        cancelled.cancel()
        #expect(!cancelled.makeCopy().isCancelled)
    }

    @Test("PL-12: a subclass that doesn't override makeCopy throws .notCopyable, naming itself")
    func notOverridden() throws {
        let steps: [any Step] = [EmptyBasicStep(), EmptyAsyncStep(), EmptyStep()]
        for step in steps {
            let error = try #require(pipelineError { _ = try step.makeCopy() })
            #expect(error.code == .notCopyable)
            #expect("\(error)".contains("\(type(of: step))"))
        }
    }

    @Test("PL-12: a step whose copy is of another class can't be copied either")
    func otherClass() throws {
        let pipeline = try makePipeline([Parent(), Child().named("child")])
        let error = try #require(pipelineError { _ = try pipeline.copy() })
        #expect(error.code == .notCopyable)
        #expect(error.step?.name == "child")
        #expect(try makePipeline([Parent()]).copy().steps.first is Parent)
    }
}
