import Foundation
import SteplinePipeline
import SteplineSupport
import SteplineTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TypedPipelineTests {
    private static let total = ContentKey<Int>("total")

    private func count(_ text: String) -> Pipeline<Int> {
        Pipeline("count") {
            BlockStep { text }
            BlockStep { (text: String) in text.count }
        }
    }

    @Test("PL-27: a kept pipeline gives what its last step makes, in every way of asking")
    func everyWay() async throws {
        let pipeline = count("four"), reported = Recorder<String>()
        pipeline.onSuccess { reported.record("success \($0 + 1)") }
        pipeline.onEnd { reported.record("end \(($0.value ?? 0) + 2)") }
        pipeline.onFailure { reported.record("failure \($0.code)") }
        let length = try await pipeline.run()
        #expect(length + 3 == 7)
        #expect(await pipeline.outcome().map { $0 + 4 }.value == 8)
        #expect(reported.values == ["end 6", "success 5"])
        pipeline.onSuccess { reported.record("late \($0 + 5)") }
        #expect(reported.values.last == "late 9")
    }

    @Test("PL-27: the output may be Void, optional, the content, or under a key of yours")
    func kinds() async throws {
        let nothing: Void = try await Pipeline { plain() }.run()
        #expect(nothing == ())
        let absent = try await Pipeline { BlockStep { Int?.none } }.run()
        #expect(absent == nil)
        var given = Content()
        given[Self.total] = 3
        let bag = try await Pipeline { [given] in BlockStep { given } }.run()
        #expect(bag[Self.total] == 3)
        let kept = Pipeline {
            BlockStep(to: Self.total) { 4 }
            BlockStep(from: Self.total, to: ContentKey<Int>.bodyObject) { $0 * 2 }.byKeys()
        }
        #expect(try await kept.run() == 4)
        #expect(kept.content?.bodyObject as? Int == 8)
    }

    @Test("PL-27: one without steps, or of a list, gives its last bag; so does any as AnyPipeline")
    func bags() async throws {
        let empty = Pipeline("later")
        try empty.addStep(BlockStep { 1 })
        #expect(try await empty.run().bodyObject as? Int == 1)
        let unlike: [AnyPipeline] = [
            count("one"), Pipeline { BlockStep { "two" } }, Pipeline(steps: [plain()]),
        ]
        for pipeline in unlike {
            let bag = try await pipeline.run()
            #expect(bag.names == pipeline.content?.names)
            #expect(await pipeline.outcome().value?.names == bag.names)
        }
        #expect(unlike.map { $0.output is Int } == [true, false, false])
    }

    @Test("PL-27, PL-32: a step that replaces the output is found before the run; one that leaves it isn't")
    func editing() async throws {
        let pipeline = count("four")
        try pipeline.addStep(BlockStep(to: Self.total) { (length: Int) in length * 2 })
        #expect(pipeline.check().isEmpty)
        let replacing = BlockStep { (length: Int) in "\(length)" }
        try pipeline.addStep(replacing)
        let issues = pipeline.check().filter { $0.severity == .error }
        #expect(issues.map(\.code) == [.typeMismatch])
        #expect(issues.first?.path == [4])
        #expect(
            issues.first?.description.contains(
                "the pipeline is to make Int, but \"bodyObject\" is left as String") == true)
        #expect(pipelineError { try pipeline.start() }?.code == .checkFailed)
        try pipeline.remove(replacing)
        #expect(try await pipeline.run() == 4)
        #expect(pipeline.content?[Self.total] == 8)
    }

    @Test("PL-5, 27, 32: an output that may be absent, or that no step makes any more, fails the check")
    func absent() throws {
        let optional = count("four")
        try optional.addStep(BlockStep { (_: Int) -> Int? in nil })
        #expect(optional.check().filter { $0.severity == .error }.map(\.code) == [.typeMismatch])
        let pipeline = Pipeline {
            BlockStep { "four" }
            BlockStep(to: Self.total) { (text: String) in text.count }
        }
        try pipeline.remove(pipeline.steps[1])
        #expect(pipeline.check().map(\.code) == [.missingInput])
    }

    @Test(
        "PL-27: a mismatch that only the run can find fails the pipeline, and no success is reported")
    func foundAtTheEnd() async throws {
        let reported = Recorder<String>()
        let pipeline = count("four")
        try pipeline.addStep(BlockStep { (_: Int) -> any Sendable in "text" })
        #expect(pipeline.check().filter { $0.severity == .error }.isEmpty)
        pipeline.onSuccess { _ in reported.record("success") }
        pipeline.onFailure { reported.record("failure \($0.code)") }
        let error = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        #expect(error?.code == .typeMismatch)
        #expect(error?.pipeline == "count" && error?.step == nil)
        #expect(
            "\(try #require(error))".hasPrefix(
                "count: it is to make Int, but at its end \"bodyObject\" is of type String"))
        #expect(pipeline.error?.code == .typeMismatch)
        #expect(await pipeline.outcome().error is PipelineError)
        #expect(reported.values == ["failure typeMismatch"])
        #expect(pipeline.steps.allSatisfy { $0.isFinished })

        let emptied = count("four")
        try emptied.addStep(BlockStep(from: .content, to: .content) { (_: Content) in Content() })
        #expect(emptied.check().isEmpty)
        await #expect(throws: PipelineError.self) { try await emptied.run() }
        #expect(emptied.error?.code == .missingInput)
    }

    @Test("PL-27: a container under a protocol's type, or in Optionals, is what it is said to be")
    func containers() async throws {
        let list = try await Pipeline { BlockStep { () -> any Sendable in [1, 2] } }.run()
        #expect(list as? [Int] == [1, 2])
        let twice = Pipeline { BlockStep { [1, 2] as [Int]?? } }
        #expect(try await twice.run() == .some(.some([1, 2])))
        let names = Pipeline { BlockStep { Set(["a"]) as Set<String>? } }
        #expect(try await names.run() == Set(["a"]))
    }

    @Test("PL-27: steps left out by if or for leave the output as it was", arguments: [false, true])
    func leftOut(isIn: Bool) async throws {
        let maybe = ContentKey<Int?>(Self.total.name)
        let optional = Pipeline {
            BlockStep(to: Self.total) { 7 }
            if isIn { BlockStep(from: maybe, to: maybe) { (number: Int?) -> Int? in number.map { $0 + 1 } } }
        }
        #expect(try await optional.run() == (isIn ? 8 : 7))
        let loop = Pipeline {
            BlockStep { 1 }
            for round in 0..<2 {
                if round == 0, isIn { BlockStep(to: Self.total) { (number: Int) in number * 10 } }
            }
        }
        #expect(try await loop.run() == (isIn ? 10 : 1))
    }

    @Test("PL-27: a line that begins with a step whose output goes elsewhere gives what that step reads")
    func beginsBeside() async throws {
        final class Length: BasicStep<String, Int>, @unchecked Sendable {
            override var inputKey: ContentKey<String> { .init("article") }
            override func process(_ input: String) -> Int { input.count }
        }
        var given = Content()
        given["article"] = "four"
        let pipeline = Pipeline(content: given) { Length().writing(Self.total) }
        #expect(try await pipeline.run() == "four")
        #expect(pipeline.content?[Self.total] == 4)
    }

    @Test("PL-25, PL-27: a running pipeline refuses a step that replaces its output, wherever that is put")
    func insertedWhileRunning() async throws {
        let gate = Gate()
        let last = plain("last")
        let pipeline = Pipeline {
            BlockStep { () async -> Int in
                await gate.wait()
                return 4
            }
            last.byKeys()
        }
        try pipeline.start()
        await gate.waitForArrivals()
        let error = pipelineError {
            try pipeline.insert(BlockStep { (number: Int) in "\(number)" }, before: last)
        }
        #expect(error?.code == .checkFailed && error?.issues.map(\.path) == [[2]])
        gate.open()
        #expect(await pipeline.outcome().value == 4)
    }
}
