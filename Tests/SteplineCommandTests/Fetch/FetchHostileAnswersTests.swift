import Foundation
import HostileAnswers
import SteplineTesting
import TestSupport
import Testing

@Suite("fetch: more than 150 hostile answers", .timeLimit(.minutes(5)))
struct FetchHostileAnswersTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder
    /// The numbers of the answers that must fail.
    private let failing: Set<Int>
    /// The texts of the answers that must succeed.
    private let whole: [Int: String]
    /// The numbers of the files beside them.
    private let good = stride(from: 0, to: HostileAnswer.all.count, by: 5)

    /// Routes all answers, with a good file beside every fifth, and writes their URLs to `list`.
    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        var list = ""
        var failing: Set<Int> = []
        var whole: [Int: String] = [:]
        for (number, answer) in HostileAnswer.all.enumerated() {
            list += server.route(answer, number: number).absoluteString + "\n"
            switch answer.end {
            case .failure: failing.insert(number)
            case .success(let text): whole[number] = text
            case .either: break
            }
        }
        for number in good {
            server.route("/good\(number)", .pattern(count: 1000 + number))
            list += server.url("/good\(number)").absoluteString + "\n"
        }
        try Data(list.utf8).write(to: folder.url.appending(path: "list"))
        (self.failing, self.whole) = (failing, whole)
    }

    private func words(_ jobs: Int) -> [String] {
        [
            "fetch", "-i", "list", "-o", "out/", "--jobs", "\(jobs)", "--retries", "0", "--idle-timeout",
            "4s",
            "--timeout", "12s", "--max-size", "1M",
        ]
    }

    /// The good files that are not complete.
    private var incomplete: [Int] {
        good.filter { number in
            let data = try? Data(contentsOf: folder.url.appending(path: "out/good\(number)"))
            return data != pattern(1000 + number)
        }
    }

    private func expectEnds(_ result: CommandResult) throws {
        #expect(!result.wasSignalled && result.status == 1)
        let names = Set(try folder.names(in: "out"))
        #expect(!names.contains { $0.hasPrefix(".") })
        #expect(incomplete == [])
        for number in failing {
            let name = HostileAnswer.all[number].name
            if names.contains(String(number)) { Issue.record("there is a file of \(name)") }
            let place = server.url("/hostile/\(number)").absoluteString
            if !result.complaints.contains(where: { $0.contains(place) }) {
                Issue.record("no line tells of \(name)")
            }
        }
        for (number, text) in whole {
            #expect(try folder.text("out/\(number)") == text, "\(HostileAnswer.all[number].name)")
        }
    }

    @Test("a run with all of them ends, completes the good files, and tells each failure", .inProcessOnly)
    func all() async throws {
        let run = ClockedRun(words(32), in: folder.url)
        // Fewer than 32 answers hang, so the good files come before the clock moves.
        await eventually { incomplete.isEmpty }
        try await expectEnds(run.result(advancingBy: .seconds(1)))
    }

    @Test(
        "a process with all of them ends, completes the good files, and tells each failure", .soakOnly,
        arguments: [4, 32])
    func process(jobs: Int) async throws {
        try await expectEnds(Command.run(words(jobs), in: folder.url, as: .process))
    }
}
