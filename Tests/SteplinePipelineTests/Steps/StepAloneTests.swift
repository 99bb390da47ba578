import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Steps alone", .timeLimit(.minutes(5)))
struct StepAloneTests {
    /// One of each kind, all of which count words and fail for "bad".
    private static func make(_ kind: String) -> any Step {
        @Sendable func count(_ text: String) throws -> Int {
            if text == "bad" { throw Broken(number: 7) }
            return text.split(separator: " ").count
        }
        switch kind {
        case "basic": return WordCount()
        case "async": return AsyncWordCount()
        case "block": return BlockStep { (text: String) in try count(text) }
        case "async block": return BlockStep { (text: String) async throws in try count(text) }
        default:
            return CallbackStep { step in
                let text = step.content.bodyObject as? String ?? ""
                DispatchQueue.global().async {
                    do {
                        step.content.bodyObject = try count(text)
                        step.finish()
                    } catch {
                        step.finish(throwing: error)
                    }
                }
            }
        }
    }

    private static let kinds = ["basic", "async", "block", "async block", "own"]

    @Test("PL-8, PL-20: a step runs in any operation queue, and then has content or error", arguments: kinds)
    func inQueue(kind: String) async {
        let step = Self.make(kind)
        step.content = Content(object: "a b c")
        #expect(!step.isFinished)
        await step.runAlone()
        #expect(step.isFinished)
        #expect(!step.isExecuting)
        #expect(step.content.bodyObject as? Int == 3)
        #expect(step.error == nil)
        let failing = Self.make(kind)
        failing.content = Content(object: "bad")
        await failing.runAlone()
        #expect(failing.isFinished)
        #expect(failing.error as? Broken == Broken(number: 7))
        #expect(failing.content.bodyObject as? String == "bad")
    }

    @Test("PL-8: a step runs by start(), without any queue", arguments: kinds)
    func byStart(kind: String) async {
        let step = Self.make(kind)
        step.content = Content(object: "a b c d")
        let ended = Recorder<Void>()
        step.completionBlock = { ended.record(()) }
        step.start()
        await ended.waitForCount(1)
        #expect(step.isFinished)
        #expect(step.content.bodyObject as? Int == 4)
        #expect(step.error == nil)
    }

    @Test("PL-8: a step whose body is a plain function has ended when start() returns")
    func synchronous() {
        let step = WordCount()
        step.content = Content(object: "a b")
        step.start()
        #expect(step.isFinished)
        #expect(step.content.bodyObject as? Int == 2)
        step.content = Content(object: "late")
        #expect(step.content.bodyObject as? Int == 2)
    }

    @Test("PL-8, PL-16: alone, too, an input that is missing or of a wrong type fails the step first")
    func wrongInput() async {
        let missing = WordCount()
        await missing.runAlone()
        #expect((missing.error as? PipelineError)?.code == .missingInput)
        let wrong = AsyncWordCount()
        wrong.content = Content(object: 5)
        await wrong.runAlone()
        #expect((wrong.error as? PipelineError)?.code == .typeMismatch)
    }

    @Test("PL-18: alone, too, a step cancelled before its body never runs it", arguments: kinds)
    func cancelled(kind: String) async {
        let step = Self.make(kind)
        step.content = Content(object: "a b c")
        step.cancel()
        await step.runAlone()
        #expect(step.isFinished)
        #expect(step.isCancelled)
        #expect(step.content.bodyObject as? String == "a b c")
    }
}
