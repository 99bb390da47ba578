import Foundation
import SteplinePrograms
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestProcesses
import TestSupport
import Testing

@testable import SteplineCommand

/// The result of a run of the command or of another program.
struct CommandResult: Sendable {
    let status: Int32
    /// Whether a signal ended the process.
    let wasSignalled: Bool
    let data: Data
    let errors: String

    var output: String { String(decoding: data, as: UTF8.self) }

    /// The lines on stderr, without the summary of a run.
    var complaints: [String] { errorLines.filter { !Self.isSummary($0) } }

    /// The summary of a run on stderr; nil if there is none.
    var summary: String? { errorLines.first(where: Self.isSummary) }

    private var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

    /// Whether a line is a summary such as `2 of 3 done, 1 failed in 0.1 s`.
    private static func isSummary(_ line: String) -> Bool {
        line.prefixMatch(of: /(\d+ of \d+|\d+ pages?) done\b.* in [\d.:]+/) != nil
    }
}

/// Runs the command in the process of the tests, which is quick, or in a process of its own.
///
/// Tests of signals, kills, terminals, pipes, resource limits and of what libcurl and libpq read from the environment
/// need a process. `STEPLINE_COMMAND` names a binary, such as the release build, that all runs then start as a process.
enum Command {
    enum Place {
        case inProcess
        case process
    }

    /// How long a run may take before its test fails.
    private static let limit = Duration.seconds(110)
    /// How long a run in this process has to end once it is cancelled.
    private static let timeToEnd = Duration.seconds(10)
    /// Bounds the processes that run at once: they share the machine with the tests' own threads.
    private static let places = Places(4)
    /// Whether runs are in this process unless a test asks for another.
    static let isInProcess = given == nil
    private static let given = ProcessInfo.processInfo.environment["STEPLINE_COMMAND"]

    /// Returns the command's binary: the one that `STEPLINE_COMMAND` names, or the one beside the test bundle.
    static func executable() throws -> URL {
        if let given { return URL(filePath: given) }
        let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
        return try #require(
            folders.map { $0.appending(path: "stepline") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) },
            "the command isn't beside the tests"
        )
    }

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - environment: Variables that it has beside those of this process.
    ///   - clock: The command's clock; one that a test moves needs ``Testing/Trait/inProcessOnly``.
    static func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
        in folder: URL? = nil, as place: Place = .inProcess, clock: any StepClock = .system
    ) async throws -> CommandResult {
        guard place == .inProcess, isInProcess else {
            return try await run(
                arguments, program: executable(), input: input, environment: environment, in: folder)
        }
        let (given, output, errors) = try (NamelessFile(input), NamelessFile(), NamelessFile())
        let path = folder?.path(percentEncoded: false) ?? FileManager.default.currentDirectoryPath
        let session = Session(
            output: OutputHandle(descriptor: output.descriptor, name: "stdout"),
            errors: OutputHandle(descriptor: errors.descriptor, name: "stderr"),
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            folder: URL(filePath: path, directoryHint: .isDirectory),
            input: FileHandle(fileDescriptor: given.descriptor, closeOnDealloc: false),
            signals: SentSignals(), programs: LivePrograms(), clock: clock)
        let code = try #require(
            await run(arguments, in: session, keeping: [given, output, errors]),
            "stepline \(arguments.joined(separator: " ")) did not end")
        return try CommandResult(
            status: code.number, wasSignalled: false, data: output.contents(),
            errors: String(decoding: errors.contents(), as: UTF8.self))
    }

    /// Runs the command in a session until it ends; nil if it doesn't end after it was cancelled.
    ///
    /// The time limit, and the cancellation of the test, send SIGTERM to the session.
    private static func run(
        _ arguments: [String], in session: Session, keeping files: [NamelessFile]
    ) async -> ExitCode? {
        let ended = OneShot<ExitCode?>()
        let run = Task {
            let code = await SteplineCommand.run(arguments, in: session)
            // A run that is given up may still write.
            withExtendedLifetime(files) {}
            ended.fulfill(code)
        }
        let stop: @Sendable () -> Void = {
            session.signals?.send(SIGTERM)
            run.cancel()
            SystemClock.shared.schedule(after: timeToEnd) { ended.fulfill(nil) }
        }
        let timer = SystemClock.shared.schedule(after: limit, stop)
        defer { timer.cancel() }
        let code = await withTaskCancellationHandler {
            await ended.value
        } onCancel: {
            stop()
        }
        session.programs.endAll()
        return code
    }

    /// Runs another program to its end.
    ///
    /// - Parameter environment: Variables that it has beside those of this process.
    static func run(
        _ arguments: [String], program: URL?, input: Data = Data(), environment: [String: String] = [:],
        in folder: URL? = nil
    ) async throws -> CommandResult {
        let program = try #require(program)
        await places.take()
        defer { places.giveBack() }
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = folder }
        let end = try await TestProcess.run(process, input: input, within: limit)
        return CommandResult(
            status: end.status, wasSignalled: end.wasSignalled, data: end.output,
            errors: String(decoding: end.errors, as: UTF8.self))
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out where runs are processes: it moves the clock of the command.
    static var inProcessOnly: Self { .enabled(if: Command.isInProcess, "moves the command's clock") }
}

/// A run of the command on a clock that the test moves.
///
/// Where runs are processes, it goes by the real time.
final class ClockedRun: Sendable {
    let clock = ManualClock()
    private let ended = OneShot<Result<CommandResult, any Error>>()
    private let isOver = Locked(false)
    private let run: Task<Void, Never>

    init(_ arguments: [String], in folder: URL) {
        run = Task { [clock, ended, isOver] in
            do {
                ended.fulfill(.success(try await Command.run(arguments, in: folder, clock: clock)))
            } catch {
                ended.fulfill(.failure(error))
            }
            isOver.withLock { $0 = true }
        }
    }

    /// Moves the clock by a step again and again until the condition holds.
    func advance(by step: Duration, until condition: () throws -> Bool) async rethrows {
        try await eventually {
            if try condition() { return true }
            clock.advance(by: step)
            return false
        }
    }

    /// Moves the clock by a step again and again until the run has ended; returns what it left.
    func result(advancingBy step: Duration) async throws -> CommandResult {
        await advance(by: step) { isOver.withLock { $0 } }
        if Task.isCancelled { run.cancel() }
        return try await ended.value.get()
    }
}

/// An open file without a name, which no program inherits.
final class NamelessFile: Sendable {
    let descriptor: Int32

    /// Makes a file with these contents, to be read from its beginning.
    init(_ data: Data = Data()) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
            .path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0, "\(path) can't be made")
        unlink(path)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    func contents() throws -> Data {
        lseek(descriptor, 0, SEEK_SET)
        return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
    }
}

/// A number of places that are taken and given back; a task that finds none waits without a thread.
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

/// Returns the bytes that the server's patterns have.
func pattern(_ count: Int) -> Data {
    let round = Data((0..<251).map { UInt8($0) })
    var data = Data(capacity: count + round.count)
    while data.count < count { data.append(round) }
    return data.prefix(count)
}
