import Foundation
import SteplineSupport

/// The built command while it runs, so that it can be sent a signal.
final class StartedCommand: Sendable {
    private let identifier: Int32
    private let ended = OneShot<(status: Int32, wasSignalled: Bool)>()
    private let output = OneShot<Data>()
    private let errors = OneShot<Data>()

    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = try BuiltCommand.executable()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (written, complaints) = (Pipe(), Pipe())
        process.standardOutput = written
        process.standardError = complaints
        let ended = self.ended
        process.terminationHandler = { process in
            ended.fulfill((process.terminationStatus, process.terminationReason == .uncaughtSignal))
        }
        try process.run()
        identifier = process.processIdentifier
        for (pipe, all) in [(written, output), (complaints, errors)] {
            let reading = pipe.fileHandleForReading
            Thread {
                let data = try? reading.readToEnd()
                try? reading.close()
                all.fulfill(data ?? Data())
            }.start()
        }
    }

    func signal(_ number: Int32) { kill(identifier, number) }

    /// What it left, once it has ended.
    func result() async -> CommandResult {
        let (status, wasSignalled) = await ended.value
        return await CommandResult(
            status: status, wasSignalled: wasSignalled, data: output.value,
            errors: String(decoding: errors.value, as: UTF8.self))
    }
}
