import Foundation
import SteplineSupport

/// The built command while it runs, so that it can be sent a signal.
final class StartedCommand: Sendable {
    private let identifier: Int32
    private let ended = OneShot<(status: Int32, wasSignalled: Bool)>()
    private let errors = OneShot<Data>()

    init(_ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = try BuiltCommand.executable()
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let complaints = Pipe()
        process.standardError = complaints
        let ended = self.ended
        process.terminationHandler = { process in
            ended.fulfill((process.terminationStatus, process.terminationReason == .uncaughtSignal))
        }
        try process.run()
        identifier = process.processIdentifier
        let errors = self.errors
        let reading = complaints.fileHandleForReading
        Thread { errors.fulfill((try? reading.readToEnd()) ?? Data()) }.start()
    }

    func signal(_ number: Int32) { kill(identifier, number) }

    /// What it left, once it has ended.
    func result() async -> CommandResult {
        let (status, wasSignalled) = await ended.value
        let errors = await errors.value
        return CommandResult(
            status: status, wasSignalled: wasSignalled, data: Data(),
            errors: String(decoding: errors, as: UTF8.self))
    }
}
