import Foundation
import SteplineSupport

/// A program, its arguments and its input.
struct ProgramCall: Sendable {
    let name: String
    let executable: URL
    let arguments: [String]
    let folder: URL
    let input: Data?
    /// The most it may write.
    let limit: Int
}

/// A run of an external program, never through a shell.
///
/// Its input comes from a file without a name, so that nothing waits for a program that doesn't read. Stopping
/// ends it and its children, first kindly, then by force.
final class ProgramRun: Sendable {
    /// How long a program has to end by itself.
    private static let patience = Duration.seconds(2)
    private static let errorLimit = 4096

    private struct Ending: Sendable {
        let status: Int32
        let wasSignalled: Bool
    }

    private struct State {
        var output = Data()
        var errors = Data()
        /// What reads the pipes that are open, by descriptor.
        var sources: [Int32: any DispatchSourceRead] = [:]
        var pid: pid_t?
        var hasEnded = false
        var isStopped = false
        var isTooMuch = false
    }

    private let call: ProgramCall
    private let clock: any StepClock
    private let state = Locked(State())
    private let ending = OneShot<Ending>()
    private let drained = OneShot<Void>()
    /// Where the pipes are read, one piece after the other.
    private let queue = DispatchQueue(label: "stepline.program")

    private init(_ call: ProgramCall, _ clock: any StepClock) {
        self.call = call
        self.clock = clock
    }

    /// What the program writes to its standard output; throws if it fails, or is stopped.
    static func output(of call: ProgramCall, clock: any StepClock) async throws -> Data {
        try Task.checkCancellation()
        let run = ProgramRun(call, clock)
        try run.start()
        let ending = await withTaskCancellationHandler {
            await run.ending.value
        } onCancel: {
            run.stop()
        }
        // Children that outlive the program may keep its pipes open: they are waited for, but not for long.
        let timer = clock.schedule(after: patience) {
            run.signal(SIGKILL)
            run.stopReading()
        }
        await run.drained.value
        timer.end()
        try Task.checkCancellation()
        return try run.result(ending)
    }

    private func start() throws {
        let process = Process()
        process.executableURL = call.executable
        process.arguments = call.arguments
        process.currentDirectoryURL = call.folder
        process.standardInput = try call.input.map { try Self.nameless(holding: $0) } ?? FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { [self] process in
            end(process.terminationStatus, wasSignalled: process.terminationReason == .uncaughtSignal)
        }
        do {
            try read(output) { [self] bytes in take(bytes) }
            try read(errors) { [self] bytes in
                state.withLock { state in
                    state.errors.append(bytes)
                    state.errors = Data(state.errors.suffix(Self.errorLimit))
                }
            }
            try process.run()
        } catch {
            stopReading()
            throw FlowError("\(call.name) can't be run: \(error.localizedDescription)")
        }
        let pid = process.processIdentifier
        let mustStop = state.withLock { state in
            state.pid = pid
            return state.isStopped || state.isTooMuch
        }
        if mustStop { stop() }
        Thread { [self] in waitForEnd(of: pid) }.start()
    }

    /// Waits for the program alone, on a thread of its own.
    ///
    /// On Linux, Foundation doesn't notice the end of a program as long as a child of it lives.
    private func waitForEnd(of pid: pid_t) {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 {
            // Foundation may have been quicker, and tells the end itself then.
            guard errno == EINTR else { return }
        }
        #if canImport(Darwin)
            let status = info.si_status
        #else
            let status = info._sifields._sigchld.si_status
        #endif
        end(status, wasSignalled: info.si_code != CLD_EXITED)
    }

    private func end(_ status: Int32, wasSignalled: Bool) {
        state.withLock { $0.hasEnded = true }
        ending.fulfill(Ending(status: status, wasSignalled: wasSignalled))
    }

    /// A file that nobody else can open, from its beginning.
    private static func nameless(holding data: Data) throws -> FileHandle {
        let name = "stepline-\(UUID().uuidString)"
        let url = FileManager.default.temporaryDirectory.appending(path: name)
        guard
            FileManager.default.createFile(
                atPath: url.path(percentEncoded: false), contents: nil, attributes: [.posixPermissions: 0o600]
            )
        else { throw FlowError("the program's input can't be written") }
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileHandle(forUpdating: url)
        try file.write(contentsOf: data)
        try file.seek(toOffset: 0)
        return file
    }

    // MARK: Output

    /// Reads a pipe as bytes come, without a thread that waits for them.
    private func read(_ pipe: Pipe, _ take: @escaping @Sendable (Data) -> Void) throws {
        let descriptor = fcntl(pipe.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            throw FlowError("\(call.name) can't be read from")
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [self] in
            if !Self.readSome(of: descriptor, take), errno != EAGAIN, errno != EINTR {
                state.withLock { $0.sources }[descriptor]?.cancel()
            }
        }
        source.setCancelHandler { [self] in
            // What the program has written before its end is in the pipe, even if nobody came to read it yet; a
            // child that goes on writing isn't followed for ever.
            var rounds = 0
            while rounds < 16, Self.readSome(of: descriptor, take) { rounds += 1 }
            close(descriptor)
            let isLast = state.withLock { state in
                state.sources[descriptor] = nil
                return state.sources.isEmpty
            }
            if isLast { drained.fulfill(()) }
        }
        state.withLock { $0.sources[descriptor] = source }
        source.activate()
    }

    /// Takes what is there; false at the end of the pipe, with `errno` zero, or if it can't be read now.
    private static func readSome(of descriptor: Int32, _ take: (Data) -> Void) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        errno = 0
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count > 0 { take(Data(buffer[..<count])) }
        return count > 0
    }

    /// Waits no longer for the pipes to be closed.
    private func stopReading() {
        for source in state.withLock({ $0.sources }).values { source.cancel() }
    }

    private func take(_ bytes: Data) {
        let isTooMuch = state.withLock { state in
            guard state.output.count + bytes.count <= call.limit else {
                defer { state.isTooMuch = true }
                return !state.isTooMuch
            }
            state.output.append(bytes)
            return false
        }
        if isTooMuch { signal(SIGKILL) }
    }

    // MARK: Stopping

    private func stop() {
        state.withLock { $0.isStopped = true }
        signal(SIGTERM)
        clock.schedule(after: Self.patience) { [self] in
            if !state.withLock({ $0.hasEnded }) { signal(SIGKILL) }
        }
    }

    /// Sends a signal to the program and its children.
    private func signal(_ number: Int32) {
        guard let (pid, hasEnded) = state.withLock({ state in state.pid.map { ($0, state.hasEnded) } }) else {
            return
        }
        // A group of its own outlives the program as long as it has members; the number alone may be another's.
        if kill(-pid, number) != 0, !hasEnded { kill(pid, number) }
    }

    // MARK: The end

    private func result(_ ending: Ending) throws -> Data {
        let (output, errors, isTooMuch) = state.withLock { ($0.output, $0.errors, $0.isTooMuch) }
        if isTooMuch { throw FlowError("\(call.name) wrote more than \(call.limit) bytes") }
        guard ending.status != 0 || ending.wasSignalled else { return output }
        let end = ending.wasSignalled ? "was ended by signal \(ending.status)" : "ended with \(ending.status)"
        let words = String(decoding: errors, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        throw FlowError("\(call.name) \(end)" + (words.isEmpty ? "" : ": \(words)"))
    }
}
