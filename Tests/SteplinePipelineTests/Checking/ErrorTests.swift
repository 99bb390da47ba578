import Foundation
import Stepline
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("Errors", .timeLimit(.minutes(5)))
struct ErrorTests {
    private struct Layer: ErrorWithCause {
        var underlying: (any Error)?
    }

    private func failure(of body: @escaping @Sendable (Data) throws -> String) async throws -> PipelineError {
        let pipeline = try makePipeline(
            [BlockStep { Data() }, BlockStep(body).named("decode"), plain("later")], name: "forecast")
        try pipeline.start()
        let error = try #require(await pipeline.outcome().failure)
        #expect(pipeline.error?.code == error.code)
        return error
    }

    @Test("PL-33: a failure tells step, position, keys, attempt and the untouched cause")
    func parts() async throws {
        let error = try await failure { _ in throw Broken(number: 9) }
        #expect(error.code == .stepFailed)
        #expect(error.pipeline == "forecast")
        #expect(error.step?.description == #"step 2 of 3 "decode""#)
        #expect(error.step?.type.hasPrefix("BlockStep") == true)
        #expect(error.inputs == [ContentKey<Data>.bodyData.erased])
        #expect(error.outputs == [ContentKey<String>.bodyObject.erased])
        #expect(error.attempt == 1)
        #expect(error.issues.isEmpty)
        #expect(error.underlying as? Broken == Broken(number: 9))
    }

    @Test("PL-33: the description of a failure is one line, as in the documentation")
    func line() async throws {
        let cause = NSError(
            domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "no member\n\"name\""])
        let error = try await failure { _ in throw cause }
        let text = "\(error)"
        #expect(!text.contains("\n"))
        #expect(text.hasPrefix(#"forecast: step 2 of 3 "decode" (bodyData -> bodyObject: String) failed: "#))
        #expect(text.contains("no member"))
        #expect(error.localizedDescription == text)
    }

    @Test("PL-33: the cause is found through all layers")
    func layers() async throws {
        let inner = try await failure { _ in throw Layer(underlying: Layer(underlying: Broken(number: 3))) }
        #expect(inner.underlying(as: Broken.self) == Broken(number: 3))
        #expect(inner.underlying(as: Layer.self) != nil)
        #expect(inner.underlying(as: URLError.self) == nil)
        let outer = try await failure { _ in throw inner }
        #expect(outer.underlying(as: PipelineError.self)?.step?.name == "decode")
        #expect(outer.underlying(as: Broken.self) == Broken(number: 3))
        let file = URL(filePath: "/absent-\(UUID())")
        let load = Pipeline { FileLoadStep(file) }
        try load.start()
        let error = await load.outcome().failure
        #expect(error?.underlying(as: FileError.self)?.path == file.path)
        #expect(error?.underlying(as: POSIXError.self)?.code == .ENOENT)
    }

    @Test("PL-33: failure callbacks, run and outcome are all given that error")
    func everywhere() async throws {
        let reported = Recorder<String>()
        let pipeline = try makePipeline([plain("bad") { throw Broken(number: 5) }])
        pipeline.onFailure { error in reported.record("\(error)") }
        await #expect(throws: PipelineError.self) { try await pipeline.run() }
        await reported.waitForCount(1)
        let outcome = await pipeline.outcome().failure.map { "\($0)" }
        #expect(reported.values.first == outcome)
        #expect(pipeline.error.map { "\($0)" } == outcome)
    }

    @Test("PL-34: codes are extensible named constants")
    func codes() {
        let codes: [PipelineError.Code] = [
            .stepFailed, .missingInput, .typeMismatch, .notImplemented, .notCopyable, .checkFailed, .timedOut,
            .stepInUse, .stepAlreadyRun, .unknownStep, .positionPassed, .alreadyStarted, .ended,
        ]
        #expect(Set(codes).count == codes.count)
        #expect(Set(codes.map(\.description)).count == codes.count)
        #expect(PipelineError.Code.checkFailed.description == "checkFailed")
        #expect(FileError.Code.notRegular.description == "notRegular")
    }

    @Test("PL-34: no order of calls reaches a trap: any call on any state throws or does nothing")
    func misuse() async throws {
        var random = StableRandom(seed: Chance.seed)
        for round in 0..<Chance.rounds(200) {
            let pipeline = Pipeline()
            let steps = (0..<4).map { plain("\($0)") }
            for _ in 0..<12 {
                let step = steps[Int.random(in: 0..<4, using: &random)]
                let other = steps[Int.random(in: 0..<4, using: &random)]
                let choice = Int.random(in: 0..<12, using: &random)
                do {
                    switch choice {
                    case 0, 1: try pipeline.addStep(step)
                    case 2: try pipeline.insert(step, after: other)
                    case 3: try pipeline.insert(step, before: other)
                    case 4: try pipeline.remove(step)
                    case 5: try pipeline.removeSteps(from: step)
                    case 6: try pipeline.start()
                    case 7: step.start()
                    case 8: step.finish(throwing: Broken())
                    case 9: _ = try pipeline.copy()
                    case 10: step.context.report(fraction: .nan)
                    default:
                        _ = (pipeline.check(), pipeline.explain(), pipeline.output, pipeline.progress)
                        if Int.random(in: 0..<4, using: &random) == 0 { pipeline.cancel() }
                    }
                } catch {
                    #expect(error is PipelineError, "seed \(Chance.seed), round \(round)")
                }
            }
            pipeline.cancel()
            _ = await pipeline.outcome()
        }
    }

    @Test("PL-34: no error text holds a password or token of the URL it speaks of")
    func secrets() async throws {
        let url = try #require(URL(string: "https://user:hunter2@example.org/a?token=s3cret"))
        let pipeline = Pipeline { FileLoadStep(url) }
        let text = pipelineError { try pipeline.start() }.map { "\($0)" } ?? ""
        let alone = FileLoadStep(url)
        alone.start()
        for text in [text, alone.error.map { "\($0)" } ?? ""] {
            #expect(!text.isEmpty)
            #expect(!text.contains("hunter2") && !text.contains("s3cret"))
        }
    }
}
