import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum SlowServers: Benchmark {
    static let name = "slow-servers"
    static let summary = "10,000 loads in flight, whose server sends some bytes a second"

    private static let count = Sizes.of(10_000)

    static func run() throws -> [Finding] {
        guard RealServer.nginx != nil else {
            say("left out, as nginx isn't installed")
            return []
        }
        let numbers = try Child.numbers("slow-servers")
        guard numbers.count == 3 else { throw ChildFailed(task: name) }
        let (inFlight, bytes, threads) = (numbers[0], numbers[1], numbers[2])
        return [
            Finding("in flight", inFlight, "of \(count)"),
            Finding("memory of one", bytes / 16_384, "of 16 KB", bound: 1),
            Finding("memory of one", bytes, "bytes"),
            Finding("threads, in all", threads, "threads"),
            Finding("threads", threads / Double(count), "of one each", bound: 0.01),
        ]
    }

    /// In a fresh process: how many are in flight, the bytes that each takes, and how many threads there are.
    static func measure() throws {
        let server = try RealServer()
        let (small, slow, status) = (server.url("/small"), server.url("/slow"), server.url("/status"))
        runBlocking {
            var options = LoadOptions()
            options.perHost.connections = count
            try await Pipeline.loading(small).run()
            let idle = processStatus("VmRSS")
            let pipelines = (0..<count).map { _ in Pipeline.loading(slow, options: options) }
            for pipeline in pipelines { try pipeline.start() }
            var answered = 0
            for _ in 0..<600 where answered < count {
                try await Task.sleep(for: .milliseconds(100))
                answered = connections(reported(status))
            }
            let bytes = Double(processStatus("VmRSS") - idle) / Double(count)
            print(answered, bytes, processStatus("Threads"))
            for pipeline in pipelines { pipeline.cancel() }
        }
    }

    /// The text at a URL, loaded by another process: this one has no connection left.
    private static func reported(_ url: URL) -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments = ["-s", url.absoluteString]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return "" }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// The number in nginx's status: `Active connections: 291`.
    private static func connections(_ status: String) -> Int {
        status.split(separator: "\n").first?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
}
