import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum CurlRace: Benchmark {
    static let name = "curl-race"
    static let summary = "small GETs of nginx over loopback, by pipelines and by one curl command"

    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    static func run() throws -> [Finding] {
        guard hasCurl else { return [] }
        let server = try RealServer()
        let races = [(1, 1.5), (16, 1.3), (64, 1.3), (256, 1.3)].flatMap { width, bound in
            let title = width == 1 ? "one after the other" : "\(width) in flight"
            return race("a GET, \(title)", server.url("/small"), width, bound: bound)
        }
        guard let authority = server.authority else { return races }
        return races
            + race("over TLS, 16 in flight", server.secureURL("/small"), 16, bound: 1.3, authority)
            + race(
                "over HTTP/2, 256 streams on one connection", server.streamURL("/small"), 256, bound: 1.3,
                authority)
    }

    private static func race(
        _ title: String, _ url: URL, _ width: Int, bound: Double, _ authority: URL? = nil
    ) -> [Finding] {
        let count = Sizes.of(width == 1 ? 4000 : 10_240, atLeast: width)
        var options = LoadOptions()
        options.perHost.connections = width
        options.tls.authorities = authority
        let duel = Duel(
            units: [count, count],
            [
                { [options] in
                    SmallGets.fetch(width, of: count) {
                        try await Pipeline.loading(url, options: options).run()
                    }
                },
                { curl(width, count, url, authority) },
            ])
        return [
            Finding(title, duel.ratios[1], "of curl's time", bound: bound),
            Finding(
                title, duel.medians[0] / 1000, "µs", rival: "curl, µs",
                rivalValue: duel.medians[1] / 1000),
        ]
    }

    /// Has one curl command make all requests, so many at once.
    private static func curl(_ width: Int, _ count: Int, _ url: URL, _ authority: URL?) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        let parallel = width > 1 ? ["-Z", "--parallel-max", "\(width)"] : []
        let trusted = authority.map { ["--cacert", $0.path(percentEncoded: false)] } ?? []
        process.arguments =
            parallel + trusted + [
                "--no-progress-meter", "-o", "/dev/null", "\(url.absoluteString)?[1-\(count)]",
            ]
        guard (try? process.run()) != nil else { return }
        process.waitUntilExit()
    }
}

enum FetchRace: Benchmark {
    static let name = "fetch-race"
    static let summary = "5,000 small files, by stepline fetch and by curl --parallel"

    /// `make command` puts it there.
    private static let command = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "../../../../.build/release/stepline").standardizedFileURL

    static func run() throws -> [Finding] {
        let path =
            ProcessInfo.processInfo.environment["STEPLINE_COMMAND"] ?? command.path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            say("left out, as there is no \(path): make command builds it")
            return []
        }
        let server = try RealServer()
        let count = Sizes.of(5000)
        // In memory where that is possible: ext4 takes milliseconds to create a file after many were removed.
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let folder = (isThere ? memory : FileManager.default.temporaryDirectory)
            .appending(path: "stepline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let urls = (0..<count).map { server.url("/s/\($0)").absoluteString }
        let list = folder.appending(path: "list")
        try Data(urls.joined(separator: "\n").utf8).write(to: list)
        let settings = folder.appending(path: "settings")
        let lines = urls.enumerated().map { "url = \($1)\noutput = \(folder.path)/c/\($0)" }
        try Data(lines.joined(separator: "\n").utf8).write(to: settings)
        func start(_ program: String, _ arguments: [String]) {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return }
            process.waitUntilExit()
        }
        func clear(_ name: String) {
            let place = folder.appending(path: name)
            try? FileManager.default.removeItem(at: place)
            try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        let turns = Turns(rounds: 5, of: ["ours", "curl"]) { who in
            clear("c")
            clear("o")
            return [
                nanoseconds {
                    if who == "ours" {
                        start(path, ["fetch", "--jobs", "50", "-i", list.path, "-o", folder.path + "/o/"])
                    } else {
                        start(
                            "/usr/bin/curl",
                            ["-s", "--parallel", "--parallel-max", "50", "-K", settings.path])
                    }
                } / 1e6
            ]
        }
        return [
            Finding("the time for all", ratio: turns.ratio("ours", to: "curl"), atMost: 1.8),
            Finding(
                "the time for all", turns.median("ours") ?? .nan, "ms", rival: "curl --parallel, ms",
                rivalValue: turns.median("curl")),
        ].compactMap(\.self)
    }
}
