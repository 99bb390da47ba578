package import Foundation
package import SteplineSupport

/// Processes that tests start: all of them are started here.
///
/// Foundation knows of a process's end by a socket that the process holds, and of the end of its output by a pipe. What
/// is open while another is started may be inherited by that one, and is then closed only with it: a server that tests
/// keep for long would have them wait for as long. So nothing is opened while something is started, and nobody waits
/// on a thread that other tests need.
package enum TestProcess {
    /// How a process has ended, and what it has written.
    package struct End: Sendable {
        package let status: Int32
        /// Whether it was a signal that ended it.
        package let wasSignalled: Bool
        package let output: Data
        package let errors: Data
    }

    private static let starting = Locked(false)

    /// Starts one at a time: Foundation's own lists of open files are not made for two.
    package static func start(_ process: Process) throws { try starting.withLock { _ in try process.run() } }

    /// Starts something by the system's own calls, or opens what nobody else is to inherit.
    package static func spawning<Result>(_ body: () throws -> Result) rethrows -> Result {
        try starting.withLock { _ in try body() }
    }

    /// Writes a program, which nobody inherits while it is open: it could not be started as long as they run.
    package static func write(_ script: String, to path: String) throws {
        let isWritten = starting.withLock { _ in
            FileManager.default.createFile(
                atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        }
        guard isWritten else { throw CocoaError(.fileWriteUnknown) }
    }

    /// A pipe that only who is given it inherits.
    package static func pipe() -> Pipe { starting.withLock { _ in Pipe() } }

    /// Runs a process to its end, which comes with a signal once its time is over: what hangs fails its test, and not
    /// all.
    package static func run(
        _ process: Process, input: Data = Data(), within limit: Duration = .seconds(110)
    ) async throws -> End {
        let (given, output, errors) = (pipe(), pipe(), pipe())
        process.standardInput = given
        process.standardOutput = output
        process.standardError = errors
        let ended = ending(of: process)
        try start(process)
        let identifier = process.processIdentifier
        let timer = SystemClock.shared.schedule(after: limit) { kill(identifier, SIGKILL) }
        let (data, complaints) = (reading(output), reading(errors))
        DispatchQueue.global().async {
            try? given.fileHandleForWriting.write(contentsOf: input)
            try? given.fileHandleForWriting.close()
        }
        await ended.value
        timer.cancel()
        return await End(
            status: process.terminationStatus, wasSignalled: process.terminationReason == .uncaughtSignal,
            output: data.value, errors: complaints.value)
    }

    /// The output and status of a process that runs to its end.
    package static func output(
        of process: Process, withErrors: Bool = false
    ) async throws -> (text: String, status: Int32) {
        let output = pipe()
        process.standardOutput = output
        if withErrors { process.standardError = output }
        process.standardInput = FileHandle.nullDevice
        let ended = ending(of: process)
        try start(process)
        let text = String(decoding: await reading(output).value, as: UTF8.self)
        await ended.value
        return (text, process.terminationStatus)
    }

    /// The end of a process that is about to be started.
    package static func ending(of process: Process) -> OneShot<Void> {
        let ended = OneShot<Void>()
        process.terminationHandler = { _ in ended.fulfill(()) }
        return ended
    }

    /// Reads to the end, on a thread of its own, so that no pipe fills up.
    ///
    /// And closes it: a handle may outlive its process for long, and by some thousand open files Foundation reads past
    /// its own buffer when it starts the next one. What comes first is told as soon as it is there.
    package static func reading(
        _ pipe: Pipe, first: @escaping @Sendable (Data) -> Void = { _ in }
    ) -> OneShot<Data> {
        let all = OneShot<Data>(), reading = pipe.fileHandleForReading
        Thread.detachNewThread {
            let start = reading.availableData
            first(start)
            let rest = try? reading.readToEnd()
            try? reading.close()
            all.fulfill(start + (rest ?? Data()))
        }
        return all
    }
}
