import Foundation
import SteplineJSON
import SteplineSupport
import TestProcesses
import Testing

/// A Chromium without a window, run once for each page.
struct Browser {
    /// The result of a visit.
    struct Visit {
        /// The page after its scripts have run.
        let page: String
        /// The lines of the page's console.
        let console: [String]
        /// The addresses that the page asked for over the network.
        let requests: [String]
    }

    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    static let absence: Comment =
        "no Chromium is found: install it (Debian: apt-get install chromium), or name it in STEPLINE_CHROMIUM"

    /// Whether tests with a browser are to be run; where one is required they are, and fail if there is none.
    static let isNeeded =
        executable != nil || ProcessInfo.processInfo.environment["STEPLINE_REQUIRES_CHROMIUM"] != nil

    /// Where it is installed; nil if it isn't, or is not to be used.
    static let executable: URL? = {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["STEPLINE_CHROMIUM"] { return path.isEmpty ? nil : URL(filePath: path) }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/bin"]
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        let places =
            names.flatMap { name in folders.map { "\($0)/\(name)" } } + [
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            ]
        return places.first(where: FileManager.default.isExecutableFile(atPath:)).map { URL(filePath: $0) }
    }()

    /// Where a file is kept for who names a folder in `STEPLINE_PICTURES`.
    static func kept(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment["STEPLINE_PICTURES"]
            .map { URL(filePath: $0).appending(path: name) }
    }

    var isDark = false
    var size = (width: 1280, height: 1000)
    /// Where to leave a picture of the page.
    var picture: URL?

    /// Opens a page, and returns once it has loaded and the browser has gone.
    func open(_ html: String) async throws -> Visit {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stepline-browser-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appending(path: "page.html")
        try Data(html.utf8).write(to: page)
        // Into files, as a pipe ends only once the last of the browser's many processes has.
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        let netLog = folder.appending(path: "net.json")
        let ending = try await run(
            arguments(in: folder, netLog: netLog) + [page.absoluteString], output: output, errors: errors)
        let said = try String(decoding: Data(contentsOf: errors), as: UTF8.self)
        guard ending == 0 else { throw Refusal(description: "Chromium ended with \(ending): \(said)") }
        return try Visit(
            page: String(decoding: Data(contentsOf: output), as: UTF8.self),
            console: said.split(separator: "\n").filter { $0.contains(":CONSOLE:") }.map(String.init),
            requests: Self.requests(in: JSON(parsing: Data(contentsOf: netLog))))
    }

    private func arguments(in folder: URL, netLog: URL) -> [String] {
        var all = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--user-data-dir=\(folder.appending(path: "profile").path)",
            "--window-size=\(size.width),\(size.height)", "--hide-scrollbars",
            // 0 is dark, 1 is light; whatever the machine it runs on prefers.
            "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--log-net-log=\(netLog.path)",
            "--enable-logging=stderr", "--v=0", "--dump-dom",
        ]
        if let picture { all.append("--screenshot=\(picture.path)") }
        return all
    }

    /// The exit code, or 128 and the number of the signal that ended it.
    private func run(_ arguments: [String], output: URL, errors: URL) async throws -> Int32 {
        guard let executable = Self.executable else { throw Refusal(description: "\(Self.absence)") }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        for file in [output, errors] { try Data().write(to: file) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let ended = TestProcess.ending(of: process)
        try TestProcess.start(process)
        let identifier = process.processIdentifier
        // The limit makes a browser that hangs fail its test, and not the whole suite.
        let limit = SystemClock.shared.schedule(after: .seconds(110)) { kill(identifier, SIGKILL) }
        await ended.value
        limit.cancel()
        return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    }

    /// The requests that a page began; the browser's own say that they have no origin.
    private static func requests(in log: JSON) throws -> [String] {
        let events = try #require(log["events"]?.array)
        return events.compactMap { event in
            guard let parameters = event["params"], let initiator = parameters["initiator"]?.string,
                initiator != "not an origin"
            else { return nil }
            return parameters["url"]?.string
        }
    }
}
