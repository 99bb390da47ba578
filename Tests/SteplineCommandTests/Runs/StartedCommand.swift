import Foundation
import SteplineSupport
import SteplineTesting
import TestProcesses
import TestSupport

/// The built command while it runs, so that it can be sent a signal.
final class StartedCommand: Sendable {
    private let identifier: Int32
    private let ended = OneShot<(status: Int32, wasSignalled: Bool)>()
    private let output = OneShot<Data>()
    /// The lines written so far; an empty line is the end.
    private let lines = Recorder<String>()
    private let errors = OneShot<Data>()

    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = try Command.executable()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (written, complaints) = (TestProcess.pipe(), TestProcess.pipe())
        process.standardOutput = written
        process.standardError = complaints
        let ended = self.ended
        let isOver = Locked(false)
        process.terminationHandler = { process in
            isOver.withLock { $0 = true }
            ended.fulfill((process.terminationStatus, process.terminationReason == .uncaughtSignal))
        }
        try TestProcess.start(process)
        identifier = process.processIdentifier
        // Else a command that doesn't end would keep the whole run of the tests.
        let number = identifier
        SystemClock.shared.schedule(after: .seconds(240)) {
            isOver.withLock { isOver in
                if !isOver { kill(number, SIGKILL) }
            }
        }
        for (pipe, all, lines) in [(written, output, lines), (complaints, errors, Recorder<String>())] {
            let reading = pipe.fileHandleForReading
            Thread {
                var (data, count) = (Data(), 0)
                while case let more = reading.availableData, !more.isEmpty {
                    data += more
                    let whole = String(decoding: data, as: UTF8.self).split(
                        separator: "\n", omittingEmptySubsequences: false
                    ).dropLast()
                    for line in whole.dropFirst(count) { lines.record(String(line)) }
                    count = whole.count
                }
                lines.record("")
                try? reading.close()
                all.fulfill(data)
            }.start()
        }
    }

    /// Waits until it has written a line with that in it, or ended, or until the test's time is over.
    func waitForLine(_ text: String) async {
        var count = 0
        while !Task.isCancelled {
            let seen = lines.values
            if seen.dropFirst(count).contains(where: { $0.isEmpty || $0.contains(text) }) { return }
            count = seen.count
            await lines.waitForCount(count + 1)
        }
    }

    func signal(_ number: Int32) { kill(identifier, number) }

    /// The output and status, once the command has ended.
    func result() async -> CommandResult {
        let (status, wasSignalled) = await ended.value
        return await CommandResult(
            status: status, wasSignalled: wasSignalled, data: output.value,
            errors: String(decoding: errors.value, as: UTF8.self))
    }
}
