import Foundation
import SteplineSupport
import TestProcesses
import Testing

/// What a run of the command left.
struct CommandResult: Sendable {
    let status: Int32
    /// Whether it was a signal that ended it.
    let wasSignalled: Bool
    let data: Data
    let errors: String

    var output: String { String(decoding: data, as: UTF8.self) }

    /// The lines on stderr.
    var complaints: [String] { errors.split(separator: "\n").map(String.init) }
}

/// The built command, run as a user would.
enum BuiltCommand {
    /// Runs share the machine with each other, and with the tests' own threads.
    private static let places = Places(4)

    /// Where the test bundle lies, the built products lie too; `STEPLINE_COMMAND` names another.
    static func executable() throws -> URL {
        if let path = ProcessInfo.processInfo.environment["STEPLINE_COMMAND"] { return URL(filePath: path) }
        let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
        return try #require(
            folders.map { $0.appending(path: "stepline") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) },
            "the command isn't beside the tests"
        )
    }

    /// Runs the command, or another program, to its end.
    static func run(
        _ arguments: [String], program: URL? = nil, input: Data = Data(), environment: [String: String] = [:],
        in folder: URL? = nil
    ) async throws -> CommandResult {
        await places.take()
        defer { places.giveBack() }
        let process = Process()
        process.executableURL = try program ?? executable()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = folder }
        let end = try await TestProcess.run(process, input: input)
        return CommandResult(
            status: end.status, wasSignalled: end.wasSignalled, data: end.output,
            errors: String(decoding: end.errors, as: UTF8.self))
    }
}

/// A number of places that are taken and given back; who finds none waits without a thread.
final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Locked<State>

    init(_ count: Int) { state = Locked(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// The bytes that the server's patterns have.
func pattern(_ count: Int) -> Data {
    let round = Data((0..<251).map { UInt8($0) })
    var data = Data(capacity: count + round.count)
    while data.count < count { data.append(round) }
    return data.prefix(count)
}

/// A folder that is there for the length of a test.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "stepline-command-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names in it, hidden ones included.
    func names(in folder: String = "") throws -> [String] {
        let place = folder.isEmpty ? url : url.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
