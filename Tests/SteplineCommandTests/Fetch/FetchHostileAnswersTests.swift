import Foundation
import SteplineTesting
import Testing

@Suite("fetch: more than 150 hostile answers", .timeLimit(.minutes(5)))
struct FetchHostileAnswersTests {
    @Test(
        "one run with all of them ends, the good files are complete, and each failure is a line",
        arguments: [4, 32])
    func all(_ jobs: Int) async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
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
            if number.isMultiple(of: 5) {
                server.route("/good\(number)", .pattern(count: 1000 + number))
                list += server.url("/good\(number)").absoluteString + "\n"
            }
        }
        let result = try await BuiltCommand.run(
            [
                "fetch", "-i", "-", "-o", "out/", "--jobs", "\(jobs)", "--retries", "0",
                // The good ones must come within it from a server whose threads share two cores with all tests.
                "--idle-timeout", "4s", "--timeout", "12s", "--max-size", "1M",
            ], input: Data(list.utf8), in: folder.url)
        #expect(!result.wasSignalled && result.status == 1)
        let names = Set(try folder.names(in: "out"))
        #expect(!names.contains { $0.hasPrefix(".") })
        for number in stride(from: 0, to: HostileAnswer.all.count, by: 5) {
            let data = try? Data(contentsOf: folder.url.appending(path: "out/good\(number)"))
            #expect(data == pattern(1000 + number), "\(HostileAnswer.all[number].name)")
        }
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
}
