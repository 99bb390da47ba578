import Foundation
import Stepline

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum LargeBody: Benchmark {
    static let name = "large-body"
    static let summary = "a body of 500 MB over loopback, into a file, into memory, and from a file"

    static let size = 500 << 20

    static func run() throws -> [Finding] {
        let server = try NetworkServer()
        let url = server.url("/large").absoluteString
        let sink = server.url("/sink").absoluteString
        let source = temporaryFile()
        defer { try? FileManager.default.removeItem(at: source) }
        try Data(count: size).write(to: source)
        var times: [String: [Double]] = [:]
        var peaks: [String: [Double]] = [:]
        let contenders = [
            ("large-file", "ours"), ("large-file", "bare"), ("large-memory", "ours"),
            ("large-memory", "bare"),
        ]
        for _ in 0..<5 {
            for (task, who) in contenders {
                let numbers = try Child.numbers(task, [who, url])
                guard numbers.count == 2 else { throw ChildFailed(task: task) }
                times[task + who, default: []].append(numbers[0])
                peaks[task + who, default: []].append(numbers[1])
            }
            times["curl", default: []].append(curl(url) ?? .nan)
            let sent = try Child.numbers("large-upload", [sink, source.path])
            guard sent.count == 2 else { throw ChildFailed(task: name) }
            times["upload", default: []].append(sent[0])
            peaks["upload", default: []].append(sent[1])
            times["curl-upload", default: []].append(curl(sink, sending: source) ?? .nan)
        }
        func time(_ key: String) -> Double { median(times[key] ?? []) }
        func peak(_ key: String) -> Double { median(peaks[key] ?? []) }
        func ratio(_ key: String, to other: String) -> Double {
            median(zip(times[key] ?? [], times[other] ?? []).map { $0 / $1 })
        }
        return [
            Finding(
                "peak memory over idle, into a file", peak("large-fileours"), "MB",
                rival: "URLSession's download task, MB", rivalValue: peak("large-filebare")),
            Finding(
                "peak memory over idle, of 8 MB, into a file", peak("large-fileours") / 8, "times", bound: 1),
            Finding(
                "peak memory over idle, of 8 MB, from a file", peak("upload") / 8, "times", bound: 1),
            Finding(
                "peak memory, into memory", peak("large-memoryours") / 500, "of the body", bound: 1.3,
                rival: "URLSession's data(from:), of the body", rivalValue: peak("large-memorybare") / 500),
            Finding(
                "time into a file", ratio("large-fileours", to: "large-filebare"), "of bare URLSession",
                bound: 1.05, rival: "URLSession's download task, s", rivalValue: time("large-filebare")),
            Finding(
                "time into memory", ratio("large-memoryours", to: "large-memorybare"), "of bare URLSession",
                bound: 1.05, rival: "URLSession's data(from:), s", rivalValue: time("large-memorybare")),
            Finding(
                "time into a file, beside curl", ratio("large-fileours", to: "curl"), "of curl", bound: 1.1,
                rival: "curl -o, s", rivalValue: time("curl")),
            Finding(
                "time from a file, beside curl", ratio("upload", to: "curl-upload"), "of curl", bound: 1.1,
                rival: "curl -T, s", rivalValue: time("curl-upload")),
        ]
    }

    private static func curl(_ url: String, sending source: URL? = nil) -> Double? {
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        let sent = source.map { ["-X", "POST", "-H", "Expect:", "-T", $0.path] } ?? []
        process.arguments = sent + ["-s", "-o", file.path, url]
        let start = ContinuousClock.now
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return seconds(since: start)
    }

    private static func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - start) / .seconds(1)
    }

    /// In a fresh process: the seconds, and the megabytes by which the peak rose over the idle process.
    static func measureFile(_ arguments: [String]) throws {
        guard arguments.count == 2, let url = URL(string: arguments[1]) else { throw ChildFailed(task: name) }
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let isOurs = arguments[0] == "ours"
        measure(warmingUp: url) {
            if isOurs {
                try await Pipeline.downloading(url, to: file).run()
            } else {
                let (temporary, _) = try await URLSession.shared.download(from: url)
                try FileManager.default.moveItem(at: temporary, to: file)
            }
        }
        let values = try FileManager.default.attributesOfItem(atPath: file.path)
        guard values[.size] as? Int == size else { throw ChildFailed(task: name) }
    }

    /// The same, from a file.
    static func measureUpload(_ arguments: [String]) throws {
        guard arguments.count == 2, let url = URL(string: arguments[0]) else { throw ChildFailed(task: name) }
        let file = URL(filePath: arguments[1])
        measure(warmingUp: url) {
            var options = LoadOptions()
            options.body = .file(file)
            let reported = try await Pipeline.loading(url, options: options).run()
            guard reported == Data("\(size)".utf8) else { throw ChildFailed(task: name) }
        }
    }

    /// The same, into memory.
    static func measureMemory(_ arguments: [String]) throws {
        guard arguments.count == 2, let url = URL(string: arguments[1]) else { throw ChildFailed(task: name) }
        let isOurs = arguments[0] == "ours"
        measure(warmingUp: url) {
            if isOurs {
                var options = LoadOptions()
                options.sizeLimit = size
                let body = try await Pipeline.loading(url, options: options).run()
                guard body.count == size else { throw ChildFailed(task: name) }
            } else {
                let (data, _) = try await URLSession.shared.data(from: url)
                guard data.count == size else { throw ChildFailed(task: name) }
            }
        }
    }

    private static func measure(
        warmingUp url: URL, _ work: @escaping @Sendable () async throws -> Void
    ) {
        let small = url.deletingLastPathComponent().appending(path: "small")
        runBlocking {
            try await Pipeline.loading(small).run()
            _ = try await URLSession.shared.data(from: small)
        }
        let idle = processStatus("VmRSS")
        let start = ContinuousClock.now
        runBlocking(work)
        let time = seconds(since: start)
        print(time, Double(processStatus("VmHWM") - idle) / Double(1 << 20))
    }
}
