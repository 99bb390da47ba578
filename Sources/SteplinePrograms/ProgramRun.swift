import CSpawn
package import Foundation
package import SteplineSupport

/// A run of an external program, never through a shell.
///
/// The input is an unlinked file, so that no thread blocks on a program that doesn't read. A ``PipeReader`` collects
/// output and standard error on its own thread.
///
/// | event | effect |
/// |---|---|
/// | task cancelled, or time limit exceeded | `SIGTERM` to all descendants, then `SIGKILL` after two seconds |
/// | output limit exceeded | `SIGKILL` to all descendants |
/// | program ended, pipes still open after two seconds | `SIGKILL` to the group, or to all if stopped |
///
/// A stopped run returns only after all descendants have ended. The status and output of a cancelled run don't count,
/// even if the program ends with 0. A program that ends by itself may leave a daemon in a session of its own. Scheduled
/// timers may fire after the end; ``LivePrograms/forget(_:)`` makes their signals harmless.
package final class ProgramRun: Sendable {
    /// The time that a program has to end after `SIGTERM`, and its children after its end.
    private static let timeToEnd = Duration.seconds(2)

    private struct State {
        var output = Data()
        var errors = ErrorTail()
        var process: ChildProcess?
        var isStopped = false
        var isTooMuch = false
        var isTooLate = false
    }

    private let call: ProgramCall
    private let clock: any StepClock
    private let programs: LivePrograms
    private let state = Locked(State())

    private init(_ call: ProgramCall, _ clock: any StepClock, _ programs: LivePrograms) {
        self.call = call
        self.clock = clock
        self.programs = programs
    }

    /// Runs a program, and returns its standard output.
    ///
    /// - Parameters:
    ///   - call: The program.
    ///   - clock: The clock for the limits.
    ///   - programs: The registry that holds the program while it runs.
    /// - Throws: ``ProgramFailure`` if the program fails or exceeds a limit; `CancellationError` if the task is
    ///   cancelled.
    package static func output(
        of call: ProgramCall, clock: any StepClock, among programs: LivePrograms = .shared
    ) async throws -> Data {
        try Task.checkCancellation()
        let run = ProgramRun(call, clock, programs)
        let (process, reader) = try run.start()
        let limit = call.timeLimit.map { limit in clock.scheduleInBackground(after: limit) { run.giveUp() } }
        defer {
            limit?.cancel()
            run.programs.forget(process)
        }
        let end = await withTaskCancellationHandler {
            await process.end
        } onCancel: {
            run.stop()
        }
        limit?.cancel()
        // Children may keep the pipes open after the program has ended. Wait for them, but not for long.
        let timer = clock.scheduleInBackground(after: timeToEnd) {
            if run.wasStopped { process.signalAll(SIGKILL) } else { process.signalGroup(SIGKILL) }
            reader.stop()
        }
        await reader.waitForEnd()
        // Children of a stopped program may have closed its pipes. Wait, so that none runs beside a retry.
        if run.wasStopped { await process.waitForChildren() }
        timer.cancel()
        try Task.checkCancellation()
        return try run.result(end)
    }

    private func start() throws -> (ChildProcess, PipeReader) {
        let nothing = URL(filePath: "/dev/null")
        let input = try call.input.map(Self.nameless) ?? FileHandle(forReadingFrom: nothing)
        let output = try Self.pipe()
        let errors: (reading: Int32, writing: Int32)
        do { errors = try Self.pipe() } catch {
            close(output.reading)
            close(output.writing)
            throw error
        }
        defer {
            close(output.writing)
            close(errors.writing)
        }
        let process: ChildProcess
        do {
            process = try programs.start {
                try ChildProcess(
                    call, input: input.fileDescriptor, output: output.writing, errors: errors.writing)
            }
        } catch {
            close(output.reading)
            close(errors.reading)
            throw ProgramFailure("\(call.name) can't be run: \(error.localizedDescription)")
        }
        let reader = PipeReader([
            .init(descriptor: output.reading) { [self] in take($0) },
            .init(descriptor: errors.reading) { [self] in takeComplaint($0) },
        ])
        let mustStop = state.withLock { state in
            state.process = process
            return state.isStopped || state.isTooMuch
        }
        if mustStop { stop() }
        return (process, reader)
    }

    /// Makes a pipe that no other program inherits.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard stepline_pipe(&ends) == 0 else { throw ProgramFailure("there are too many files open") }
        return (ends[0], ends[1])
    }

    /// Returns an unlinked file with the data, positioned at its beginning.
    private static func nameless(_ data: Data) throws -> FileHandle {
        guard let file = try? NamelessFile.make(data) else {
            throw ProgramFailure("the program's input can't be written")
        }
        try file.seek(toOffset: 0)
        return file
    }

    // MARK: Output

    private func take(_ bytes: Data) {
        let isTooMuch = state.withLock { state in
            guard state.output.count + bytes.count <= call.limit else {
                defer { state.isTooMuch = true }
                return !state.isTooMuch
            }
            state.output.append(bytes)
            return false
        }
        if isTooMuch { state.withLock { $0.process }?.signalAll(SIGKILL) }
    }

    private func takeComplaint(_ bytes: Data) {
        state.withLock { $0.errors.append(bytes) }
    }

    // MARK: Stopping

    private var wasStopped: Bool { state.withLock { $0.isStopped || $0.isTooMuch } }

    private func stop() {
        let process = state.withLock { state in
            state.isStopped = true
            return state.process
        }
        guard let process else { return }
        process.signalAll(SIGTERM)
        clock.scheduleInBackground(after: Self.timeToEnd) {
            if !process.hasEnded { process.signalAll(SIGKILL) }
        }
    }

    private func giveUp() {
        let isTooLate = state.withLock { state in
            // A program that has ended just before its limit is in time.
            guard state.process?.hasEnded != true else { return false }
            state.isTooLate = true
            return true
        }
        if isTooLate { stop() }
    }

    // MARK: The end

    private func result(_ end: ChildProcess.End) throws -> Data {
        let (output, errors, isTooMuch, isTooLate) = state.withLock {
            ($0.output, $0.errors, $0.isTooMuch, $0.isTooLate)
        }
        if isTooMuch { throw ProgramFailure("\(call.name) wrote more than \(call.limit) bytes") }
        // A program may catch SIGTERM and end with 0 in the middle of its output.
        if isTooLate, let limit = call.timeLimit {
            throw ProgramFailure("\(call.name) took longer than \(limit)", isTimeOut: true)
        }
        if end == .exited(0) { return output }
        let how =
            switch end {
            case .exited(let status): "ended with \(status)"
            case .signalled(let signal): "was ended by signal \(signal)"
            case .unknown: "has ended, and the system doesn't say how"
            }
        let words = call.hidesComplaints ? "" : errors.text
        throw ProgramFailure("\(call.name) \(how)" + (words.isEmpty ? "" : ": \(words)"), complaint: words)
    }
}
