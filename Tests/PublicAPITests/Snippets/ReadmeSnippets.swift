import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The first chain and the error text of README, run. `SnippetTests` compiles the programs that README shows.

struct CountWords: StepBody {
    func process(_ text: String) -> [String: Int] {
        text.split(whereSeparator: \.isWhitespace).reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }
}

@Suite("README", .timeLimit(.minutes(5)))
struct ReadmeSnippets {
    @Test("the first chain retries a 503 and counts the words")
    func firstChain() async throws {
        let server = try LoopbackServer()
        server.route("/words.txt", inTurn: [.status(503), .text("one two three")])
        let url = server.url("/words.txt")
        let count = try await Pipeline.run {
            URLLoadStep(url).retrying(.exponential(attempts: 4))
            BlockStep { (page: Data) in String(decoding: page, as: UTF8.self) }
            BlockStep { (text: String) in text.split(separator: " ").count }
        }
        #expect(count == 3)
    }

    /// Records the texts that it is asked to show.
    private final class Screen: Sendable {
        let shown = Recorder<String>()
        func show(_ text: String) { shown.record(text) }
    }

    @Test("a failed step prints the error that README shows")
    func failure() async throws {
        let screen = Screen()
        let options = PipelineOptions(retry: .exponential(attempts: 4), deadline: .seconds(60))
        let report = Pipeline("report", options: options) {
            FileLoadStep(URL(filePath: "Fixtures/words.txt"))
            JSONParseStep().named("parse").retrying(.none)
            BlockStep { (json: JSON) in json.description }.timeout(.seconds(5))
        }
        report.onFailure(on: .main) { error in print(error) }
        report.onSuccess(on: .main, for: screen) { text in screen.show(text) }
        try report.start()
        guard case .failure(let error as PipelineError) = await report.outcome() else {
            Issue.record("the pipeline succeeded")
            return
        }
        #expect(try documentedText(of: "README.md").contains("\n\(error)\n"))
        #expect(screen.shown.values.isEmpty)
    }
}
