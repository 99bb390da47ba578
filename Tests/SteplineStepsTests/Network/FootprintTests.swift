import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    /// Memory and descriptors that network steps leave, measured in separate processes.
    @Suite("Footprint of network steps", .timeLimit(.minutes(5)))
    struct FootprintTests {
        @Test("PL-80, PL-81, PL-82: a fault leaves no file and no transfer, and in soak no thread or socket")
        func faults() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                let folder = try TemporaryFolder()
                let kinds = routeFaults(on: server)
                // The first rounds make what is kept for good: threads, a pool of connections.
                for _ in 0..<(Chance.isSoak ? 3 : 1) { try await sufferAll(kinds, server, folder) }
                await eventually { TransferActivity.shared.count == 0 }
                guard try folder.names().isEmpty else { exit(1) }
                // How many threads and descriptors are kept depends on the machine.
                guard Chance.isSoak else { return }
                let before = Footprint()
                for _ in 0..<(Sanitizers.areAtWork ? 3 : 20) { try await sufferAll(kinds, server, folder) }
                let after = Footprint()
                guard after.descriptors <= before.descriptors + 12, after.threads <= before.threads + 12,
                    TransferActivity.shared.count == 0, try folder.names().isEmpty
                else { exit(1) }
            }
        }

        @Test(
            "PL-84: a download's memory doesn't depend on its size", .soakOnly,
            .enabled(if: !Sanitizers.areAtWork))
        func download() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                let folder = try TemporaryFolder()
                server.route("/small", .pattern(count: 1000))
                server.route("/large", .pattern(count: 200 << 20))
                try await Pipeline.downloading(server.url("/small"), to: folder["small"]).run()
                let idle = Footprint()
                try await Pipeline.downloading(server.url("/large"), to: folder["large"]).run()
                guard Footprint().peak - idle.memory <= 48 << 20 else { exit(1) }
            }
        }

        @Test("PL-73: a load's memory is that of its body", .soakOnly, .enabled(if: !Sanitizers.areAtWork))
        func load() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                server.route("/small", .pattern(count: 1000))
                server.route("/known", .pattern(count: 200 << 20))
                try await Pipeline.loading(server.url("/small")).run()
                let idle = Footprint()
                let body = try await Pipeline.loading(server.url("/known")).run()
                guard body.count == 200 << 20, Footprint().peak - idle.memory <= 260 << 20 else {
                    exit(1)
                }
            }
        }

        @Test(
            "PL-80: chunks that are taken slowly don't pile up in memory", .soakOnly,
            .enabled(if: !Sanitizers.areAtWork && isOverCurl, "URLSession can't be held back"))
        func slowReader() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                server.route("/small", .pattern(count: 1000))
                server.route("/large", .pattern(count: 150 << 20))
                for try await _ in URLChunks(server.url("/small")) {}
                let idle = Footprint()
                var (count, sum) = (0, 0)
                for try await chunk in URLChunks(server.url("/large")) {
                    count += chunk.count
                    // Far more work than the network has.
                    for index in stride(from: chunk.startIndex, to: chunk.endIndex, by: 64) {
                        sum &+= Int(chunk[index])
                    }
                }
                guard count == 150 << 20, sum > 0, Footprint().peak - idle.memory <= 24 << 20 else { exit(1) }
            }
        }

        @Test("PL-83: a file is sent in constant memory", .soakOnly, .enabled(if: !Sanitizers.areAtWork))
        func upload() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer(recordedBodyLimit: 0)
                let folder = try TemporaryFolder()
                server.route("/up", .status(204))
                let file = folder["body"]
                try Data().write(to: file)
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 200 << 20)
                try handle.close()
                _ = try await run(
                    URLLoadStep(server.url("/up"), options: options { $0.body = .data(Data([1])) }))
                let idle = Footprint()
                _ = try await run(URLLoadStep(server.url("/up"), options: options { $0.body = .file(file) }))
                guard server.requests.last?.bodyCount == 200 << 20, Footprint().peak - idle.memory <= 48 << 20
                else { exit(1) }
            }
        }
    }

    /// Figures of this process.
    private struct Footprint {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        let memory = status("VmRSS")
        let peak = status("VmHWM")

        private static func status(_ field: String) -> Int {
            let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
            return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
        }
    }

    /// Heads that end a process that loads them by Foundation's URLSession.
    private let hostileHeads = [
        "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 300_000))\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http:////[::1\r\nX: \0\r\n\r\n",
    ]

    private func routeFaults(on server: LoopbackServer) -> [String] {
        let faults: [LoopbackResponse] = [
            .pattern(count: 90_000).fault(.reset(after: 40_000)),
            .pattern(count: 90_000).fault(.close(after: 40_000)),
            .pattern(count: 90_000).announcing(length: 100_000), .raw(head: "garbage\r\n\r\n"),
            endless,
            .text("no", status: 500), .redirect(to: "/4"),
        ]
        let hostile = isOverCurl ? hostileHeads.map { LoopbackResponse.raw(head: $0) } : []
        for (number, fault) in (faults + hostile).enumerated() { server.route("/\(number)", fault) }
        server.routeEndlessRedirects("/round")
        server.route("/mute", .pattern(count: 90_000).fault(.stall(after: 10)))
        return (faults + hostile).indices.map { "/\($0)" } + ["/round"]
    }

    /// Has each fault happen to a load and to a download, and a stall to one that is cancelled.
    private func sufferAll(_ kinds: [String], _ server: LoopbackServer, _ folder: TemporaryFolder)
        async throws
    {
        var options = DownloadOptions()
        options.sizeLimit = 100_000
        for kind in kinds {
            let load = Pipeline.loading(server.url(kind), options: options.load)
            let download = Pipeline.downloading(server.url(kind), to: folder["file"], options: options)
            for pipeline in [load, download] {
                try pipeline.start()
                guard case .failure = await pipeline.outcome() else { exit(2) }
            }
        }
        let closed = server.requests.count
        let stalled = Pipeline.downloading(server.url("/mute"), to: folder["file"])
        try stalled.start()
        await server.waitForRequests(closed + 1)
        stalled.cancel()
        if let connection = server.requests.last?.connection {
            await server.waitUntilClosed(connection: connection)
        }
    }
#endif
