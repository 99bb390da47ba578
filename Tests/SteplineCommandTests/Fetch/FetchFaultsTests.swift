import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

/// Many URLs, some of which fail in every way there is.
@Suite("fetch: 200 URLs with faults", .timeLimit(.minutes(5)))
struct FetchFaultsTests {
    @Test("the exit code is right, all good files are complete, each failure is a line, and no part is left")
    func faults() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        var generator = StableRandom(seed: Chance.seed)
        var list = ""
        var good: [Int: Int] = [:]
        var bad: Set<Int> = []
        for number in 0..<200 {
            let size = Int.random(in: 0..<200_000, using: &generator)
            let whole = LoopbackResponse.pattern(count: size)
            list += server.url("/\(number)").absoluteString + "\n"
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                server.route("/\(number)", .status(404))
                bad.insert(number)
            case 1:
                server.route(
                    "/\(number)", LoopbackResponse.pattern(count: size + 1).fault(.reset(after: size / 2)))
                bad.insert(number)
            case 2:
                server.route("/\(number)", whole.announcing(length: size + 10))
                bad.insert(number)
            case 3:
                server.route("/\(number)", inTurn: [.status(503), whole.fault(.reset(after: 0)), whole])
                good[number] = size
            default:
                server.route("/\(number)", whole)
                good[number] = size
            }
        }
        let result = try await Command.run(
            ["fetch", "-i", "-", "-o", "out/", "--jobs", "16", "--retry-wait", "1ms", "--retries", "3"],
            input: Data(list.utf8), in: folder.url)
        #expect(result.status == 1)
        #expect(try folder.names(in: "out") == good.keys.map(String.init).sorted())
        for (number, size) in good {
            let data = try Data(contentsOf: folder.url.appending(path: "out/\(number)"))
            #expect(data.count == size && data == pattern(size), "\(number)")
        }
        let reporting = result.complaints.map { line in
            bad.first { line.contains(server.url("/\($0)").absoluteString + ":") }
        }
        #expect(Set(reporting) == Set(bad) && reporting.count == bad.count, "\(result.errors)")
    }
}
