import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Checking", .timeLimit(.minutes(5)))
struct CheckTests {
    private class Animal: @unchecked Sendable {}
    private final class Dog: Animal, @unchecked Sendable {}

    /// Declares what a test says, and does nothing.
    private final class Declaring: StepOperation, Step, @unchecked Sendable {
        let reads: [AnyContentKey]
        let writes: [AnyContentKey]
        let problems: [String]
        let canRepeat: Bool
        let runs = Recorder<Void>()

        init(
            reads: [AnyContentKey] = [], writes: [AnyContentKey] = [], problems: [String] = [],
            canRepeat: Bool = true
        ) {
            (self.reads, self.writes, self.problems, self.canRepeat) = (reads, writes, problems, canRepeat)
            super.init()
        }

        override var inputs: [AnyContentKey] { reads }
        override var outputs: [AnyContentKey] { writes }
        override var configurationProblems: [String] { problems }
        override var isRepeatable: Bool { canRepeat }

        override func main() {
            runs.record(())
            finish()
        }
    }

    private func key<Value: Sendable>(_ name: String, _ type: Value.Type) -> AnyContentKey {
        ContentKey<Value>(name).erased
    }

    /// The check's issues for a step that reads after a step that writes.
    private func issues<One: Sendable, Two: Sendable>(writing: One.Type, reading: Two.Type) throws
        -> [CheckIssue.Code]
    {
        try makePipeline([
            Declaring(writes: [key("entry", One.self)]), Declaring(reads: [key("entry", Two.self)]),
        ]).check().map(\.code)
    }

    @Test("PL-30: check gives all issues at once: code, severity, step, key, expected and actual type")
    func allAtOnce() throws {
        let first = Declaring(reads: [key("a", Int.self)], writes: [key("b", String.self)]).named("first")
        let second = Declaring(reads: [key("b", Int.self), key("c", Date.self)]).named("second")
        let issues = try makePipeline([first, second], name: "line").check()
        #expect(issues.map(\.code) == [.missingInput, .typeMismatch, .missingInput])
        #expect(issues.allSatisfy { $0.severity == .error })
        #expect(issues.map(\.subject) == ["first", "second", "second"])
        #expect(issues.map(\.path) == [[1], [2], [2]])
        #expect(issues.map(\.key) == ["a", "b", "c"])
        #expect(issues.map(\.expected) == ["Int", "Int", "Date"])
        #expect(issues.map(\.found) == [nil, "String", nil])
        let mismatch = try #require(issues.count == 3 ? "\(issues[1])" : nil)
        for part in ["second", "\"b\"", "Int", "String", "step 2 of 2"] { #expect(mismatch.contains(part)) }
    }

    @Test("PL-30: check runs nothing, and may be called at any time")
    func anyTime() async throws {
        let gate = Gate()
        let step = Declaring()
        let pipeline = try makePipeline([step, held(at: gate)])
        #expect(pipeline.check().isEmpty)
        #expect(step.runs.count == 0)
        #expect(pipeline.stateWord == "ready")
        try pipeline.start()
        await gate.waitForArrivals()
        #expect(pipeline.check().isEmpty)
        gate.open()
        #expect(await pipeline.outcome().word == "succeeded")
        #expect(pipeline.check().filter { $0.severity == .error }.isEmpty)
        #expect(step.runs.count == 1)
    }

    @Test("PL-30: a body overwritten before anyone read it is a warning, which never stops a start")
    func warning() async throws {
        let pipeline = try makePipeline([BlockStep { 1 }.named("a"), BlockStep { 2 }.named("b")])
        let issues = pipeline.check()
        #expect(issues.map(\.code) == [.unreadOverwritten])
        #expect(issues.first?.severity == .warning)
        #expect(issues.first?.subject == "b")
        #expect(issues.first?.key == "bodyObject")
        #expect(try await pipeline.run(returning: Int.self) == 2)
        #expect(try makePipeline([BlockStep { 1 }, BlockStep { (one: Int) in one }]).check().isEmpty)
        let bag = try makePipeline([BlockStep { 1 }, BlockStep { (_: Content) in }, BlockStep { 2 }])
        #expect(bag.check().isEmpty)
    }

    @Test("PL-31: an input that neither an earlier step nor the first bag has is an issue")
    func missing() throws {
        let reader = { Declaring(reads: [self.key("entry", Int.self)]) }
        let writer = { Declaring(writes: [self.key("entry", Int.self)]) }
        #expect(try makePipeline([reader()]).check().map(\.code) == [.missingInput])
        #expect(try makePipeline([reader(), writer()]).check().map(\.code) == [.missingInput])
        #expect(try makePipeline([writer(), plain(), reader()]).check().isEmpty)
        var content = Content()
        content["entry"] = 5
        #expect(try makePipeline([reader()], content: content).check().isEmpty)
        content["entry"] = "text"
        let wrong = try makePipeline([reader()], content: content).check()
        #expect(wrong.map(\.code) == [.typeMismatch])
        #expect(wrong.first?.found == "String")
    }

    @Test("PL-5, PL-31: types that can't fit are found, those that may fit are left to the run")
    func types() throws {
        let fitting = try [
            issues(writing: Int.self, reading: Int.self), issues(writing: Int.self, reading: Int?.self),
            issues(writing: Dog.self, reading: Animal.self), issues(writing: Animal.self, reading: Dog.self),
            issues(writing: Dog.self, reading: (any Sendable).self),
            issues(writing: (any Sendable).self, reading: Int.self),
        ]
        #expect(fitting.allSatisfy { $0.isEmpty }, "\(fitting)")
        let unlike = try [
            issues(writing: Int.self, reading: String.self),
            issues(writing: Data.self, reading: [UInt8].self), issues(writing: Int?.self, reading: Int.self),
            issues(writing: String.self, reading: Int?.self),
        ]
        #expect(unlike.allSatisfy { $0 == [.typeMismatch] }, "\(unlike)")
    }

    @Test("PL-31, PL-16: a mismatch behind any Sendable or a replaced bag fails when the pipeline runs")
    func leftToTheRun() async throws {
        let untyped = ContentKey<any Sendable>("entry")
        let typed = ContentKey<Int>("entry")
        let wrong = try makePipeline([
            BlockStep(to: untyped) { "text" }, BlockStep(from: typed, to: .nothing) { _ in },
        ])
        #expect(wrong.check().isEmpty)
        try wrong.start()
        #expect(await wrong.outcome().failure?.code == .typeMismatch)
        let replaced = try makePipeline([
            BlockStep(to: .content) { Content() }, BlockStep(from: typed, to: .nothing) { _ in },
        ])
        #expect(replaced.check().isEmpty)
        try replaced.start()
        #expect(await replaced.outcome().failure?.code == .missingInput)
    }

    @Test("PL-31: invalid settings are issues, with a sentence each")
    func settings() throws {
        let step = Declaring(problems: ["no good", "nor this"]).named("odd")
        let issues = try makePipeline([step]).check()
        #expect(issues.map(\.code) == [.badConfiguration, .badConfiguration])
        #expect("\(issues[1])".contains("nor this"))
        let page = try #require(URL(string: "http://example.org"))
        let files = Pipeline("files", content: Content(data: Data())) {
            FileLoadStep(page)
            FileSaveStep(page)
        }
        #expect(files.check().map(\.code) == [.badConfiguration, .badConfiguration])
        #expect(files.check().map(\.path) == [[1], [2]])
    }

    @Test("PL-31: a retry on a step that can't be repeated is an issue")
    func notRepeatable() throws {
        let step = Declaring(canRepeat: false).retrying(.constant(attempts: 2))
        #expect(try makePipeline([step]).check().map(\.code) == [.notRepeatable])
        #expect(try makePipeline([Declaring(canRepeat: false)]).check().isEmpty)
        #expect(try makePipeline([Declaring(canRepeat: false).retrying(.none)]).check().isEmpty)
    }

    @Test("PL-27, 31, 32: a step that has run, or belongs to another pipeline, is an issue in a builder")
    func usedUp() async throws {
        let used = BlockStep { 1 }
        await used.runAlone()
        #expect(Pipeline { used }.check().map(\.code) == [.stepNotAdded])
        let error = await #expect(throws: PipelineError.self) { try await Pipeline.run { used } }
        #expect(error?.code == .checkFailed && error?.issues.map(\.code) == [.stepNotAdded])
        let shared = BlockStep { 1 }
        let owner = Pipeline { shared }
        #expect(Pipeline { shared }.check().map(\.code) == [.stepNotAdded])
        #expect(owner.check().isEmpty)
    }

    @Test("PL-31: a step may declare more keys than its two")
    func moreKeys() throws {
        let many = Declaring(
            reads: [key("a", Int.self), key("b", Int.self), key("c", Int?.self)],
            writes: [key("d", Int.self), key("e", String.self)])
        let reader = Declaring(reads: [key("e", String.self), key("d", Int.self)])
        var content = Content()
        content["a"] = 1
        let issues = try makePipeline([many, reader], content: content).check()
        #expect(issues.map(\.key) == ["b"])
    }
}
