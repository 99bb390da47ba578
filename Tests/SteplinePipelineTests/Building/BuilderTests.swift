import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Builders", .timeLimit(.minutes(5)))
struct BuilderTests {
    private struct City: Codable, Sendable, Equatable { var name: String }

    private func decode() -> BlockStep<Data, City> {
        BlockStep { (data: Data) in try JSONDecoder().decode(City.self, from: data) }
    }

    @Test("PL-27: a chain that runs at once can get content, and returns the last output without a cast")
    func givenContent() async throws {
        var content = Content()
        content.bodyData = Data(#"{"name": "Ulm"}"#.utf8)
        content[ContentKey<Int>("count")] = 3
        let city = try await Pipeline.run("city", content: content) { decode() }
        #expect(city == City(name: "Ulm"))
        let sum: Int = try await Pipeline.run(content: content) {
            BlockStep { 4 }
            BlockStep { (bag: Content) in (bag[ContentKey<Int>("count")] ?? 0) + 1 }
        }
        #expect(sum == 4)
        do {
            _ = try await Pipeline.run("empty", content: Content()) { decode() }
            Issue.record("it should have failed its check")
        } catch let error as PipelineError {
            #expect(error.code == .checkFailed && error.pipeline == "empty")
        }
    }

    @Test("PL-27: the last step's own key is where the result is taken from")
    func resultUnderKey() async throws {
        let number: Int = try await Pipeline.run {
            BlockStep { "four" }
            BlockStep(to: ContentKey<Int>("count")) { (text: String) in text.count }
        }
        #expect(number == 4)
        let nothing: Int? = try await Pipeline.run { BlockStep { () -> Int? in nil } }
        #expect(nothing == nil)
    }

    @Test("PL-27: Void, Content and fitting T? inputs go anywhere")
    func anywhere() async throws {
        let seen = Recorder<String>()
        let result = try await Pipeline.run {
            BlockStep { 5 }
            BlockStep { (number: Int?) in "\(number ?? 0)" }
            BlockStep { (bag: Content) in
                seen.record(bag.names.joined())
                return 2
            }
            BlockStep { seen.record("void") }
            BlockStep { "end" }
        }
        #expect(result == "end")
        #expect(seen.values == ["bodyObject", "void"])
    }

    @Test("PL-27: if leaves steps out or not, if else chooses between two ways", arguments: [true, false])
    func choice(isFirst: Bool) async throws {
        let result = try await Pipeline.run {
            if isFirst { BlockStep { 1 } } else { BlockStep { () async in 2 } }
            if isFirst {
                BlockStep { (number: Int) in number * 2 }
                BlockStep { (number: Int) in number + 1 }
            }
            if isFirst {
                BlockStep { (number: Int) in "first \(number)" }
            } else {
                BlockStep { (number: Int) async in "second \(number)" }
            }
        }
        #expect(result == (isFirst ? "first 3" : "second 2"))
    }

    @Test("PL-27: for repeats steps, none and many", arguments: [0, 1, 5])
    func loop(count: Int) async throws {
        let result = try await Pipeline.run {
            BlockStep { 0 }
            for number in 0..<count { BlockStep { (sum: Int) in sum + number + 1 } }
        }
        #expect(result == count * (count + 1) / 2)
    }

    @Test("PL-27: byKeys goes by the step's own keys beside the typed line, and so does its check")
    func byKeys() async throws {
        let left = ContentKey<Int>("left")
        let result = try await Pipeline.run {
            BlockStep(to: left) { 20 }.byKeys()
            BlockStep { "text" }
            BlockStep(from: left, to: left) { $0 + 1 }.byKeys()
            BlockStep { (text: String) in text.count }
        }
        #expect(result == 4)
        let pipeline = Pipeline("keys") {
            BlockStep(to: left) { 20 }.byKeys()
            BlockStep { "text" }
            BlockStep(from: left, to: left) { $0 + 1 }.byKeys()
        }
        #expect(pipeline.steps.count == 3)
        #expect(try await pipeline.run(returning: left) == 21)
        #expect(pipeline.content?.bodyObject as? String == "text")
        let unwritten = Pipeline {
            plain()
            BlockStep(from: left, to: left) { $0 + 1 }.byKeys()
        }
        #expect(unwritten.check().map(\.code) == [.missingInput])
        #expect(unwritten.check().map(\.key) == ["left"])
    }

    private final class CountWords: BasicStep<String, Int>, @unchecked Sendable {
        override func process(_ text: String) -> Int { text.split(separator: " ").count }
        override func makeCopy() -> any Step {
            let copy = CountWords()
            copy.takeOptions(of: self)
            return copy
        }
    }

    private final class Doubled: AsyncStep<Int, Int>, @unchecked Sendable {
        override func process(_ number: Int) async -> Int { number * 2 }
    }

    private static let article = ContentKey<String>("article")
    private static let count = ContentKey<Int>("count")

    @Test("PL-27: a step with given keys fits anywhere, and entries that it doesn't write are passed on")
    func givenKeys() async throws {
        let pipeline = Pipeline("keys") {
            BlockStep(to: Self.article) { "one two three" }.byKeys()
            BlockStep { Data([1, 2]) }
            CountWords().reading(Self.article).writing(Self.count)
            Doubled().reading(Self.count).writing(Self.count)
            BlockStep { (data: Data) in data.count }
        }
        #expect(pipeline.steps[2].inputs == [Self.article.erased])
        #expect(pipeline.steps[2].outputs == [Self.count.erased])
        let copy = try Pipeline("copy", steps: [pipeline.steps[2].makeCopy()])
        #expect(copy.steps[0].inputs == [Self.article.erased])
        #expect(try await pipeline.run(returning: Self.count) == 6)
        #expect(pipeline.output as? Int == 2)

        let read = try await Pipeline.run {
            BlockStep(to: Self.article) { "one two" }.byKeys()
            BlockStep { Data() }
            CountWords().reading(Self.article)
            Doubled()
        }
        #expect(read == 4)
        let written = Pipeline {
            BlockStep { "one two three" }
            CountWords().writing(Self.count)
            CountWords().writing(Self.count).reading(Self.article)
            BlockStep { (text: String) in text.uppercased() }
        }
        #expect(written.check().map(\.key) == ["article"])
        let whole = Pipeline {
            BlockStep { "one two three" }
            CountWords().writing(Self.count)
            BlockStep { (text: String) in text.uppercased() }
        }
        #expect(try await whole.run(returning: Self.count) == 3)
        #expect(whole.output as? String == "ONE TWO THREE")
    }

    private struct Words: StepBody {
        let separator: Character
        func process(_ text: String) -> [Substring] { text.split(separator: separator) }
    }

    private struct Fetch: StepBody {
        let gate: Gate
        func process(_ nothing: Void) async throws -> String {
            await gate.wait()
            try Task.checkCancellation()
            return "one two"
        }
    }

    @Test("PL-27: a value that conforms to StepBody is a step of a chain")
    func bodies() async throws {
        let gate = Gate()
        gate.open()
        let words = try await Pipeline.run {
            Fetch(gate: gate)
            Words(separator: " ")
            BlockStep { (words: [Substring]) in words.count }
        }
        #expect(words == 2)
        let parts = ContentKey<[Substring]>("parts")
        let pipeline = Pipeline("bodies") {
            BlockStep(to: Self.article) { "one,two,three" }.byKeys()
            BlockStep { 7 }
            Words(separator: ",").reading(Self.article).writing(parts)
            BlockStep { (seven: Int) in seven + 1 }
        }
        #expect(try await pipeline.run(returning: parts).count == 3)
        #expect(pipeline.output as? Int == 8)
        let list = Pipeline(steps: [
            BlockStep { "one two" }, Words(separator: " ").step(to: parts).timeout(.seconds(5)),
        ])
        #expect(try await list.run(returning: parts) == ["one", "two"])
    }

    @Test("PL-27: a body fails and is cancelled as any step, under its type's name")
    func endedBodies() async throws {
        struct Broken: StepBody {
            func process(_ text: String) throws -> Int { throw CocoaError(.fileNoSuchFile) }
        }
        let failing = Pipeline {
            BlockStep { "text" }
            Broken()
        }
        await #expect {
            try await failing.run()
        } throws: {
            ($0 as? PipelineError)?.step?.name == "Broken"
        }
        let gate = Gate()
        let waiting = Pipeline { Fetch(gate: gate) }
        try waiting.start()
        await gate.waitForArrivals()
        waiting.cancel()
        gate.open()
        guard case .cancelled = await waiting.outcome() else {
            Issue.record("it must be cancelled")
            return
        }
    }

    @Test("PL-27: a builder's pipeline is an ordinary one")
    func ordinary() async throws {
        let pipeline = Pipeline("built", id: "b") { BlockStep { 1 } }
        #expect(pipeline.name == "built" && pipeline.id == "b")
        try pipeline.addStep(BlockStep { (number: Int) in number + 1 })
        #expect(try await pipeline.run(returning: Int.self) == 2)
    }
}
