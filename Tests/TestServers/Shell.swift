import Foundation
import SteplineSupport
import TestProcesses

/// Scripts that servers are started and asked with.
enum Shell {
    /// A script that fails, with what it has written.
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Runs a script of at most a minute, and returns its output.
    @discardableResult
    static func run(
        _ script: String, _ arguments: [String], environment: [String: String]? = nil, in folder: URL? = nil
    ) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["60", "/bin/sh", "-c", script, "sh"] + arguments
        process.environment = environment
        if let folder { process.currentDirectoryURL = folder }
        process.standardError = FileHandle.nullDevice
        let (text, status) = try await TestProcess.output(of: process)
        guard status == 0 else { throw Failure(description: "\(arguments.dropFirst()): \(text)") }
        return text
    }

    /// Starts a script that goes on, and gives what it has written first.
    static func keeper(
        _ script: String, _ arguments: [String], environment: [String: String]? = nil
    ) async throws -> (process: Process, first: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + arguments
        process.environment = environment
        let output = TestProcess.pipe()
        process.standardInput = FileHandle.nullDevice
        // The test runner waits until standard error is closed by all.
        process.standardError = FileHandle.nullDevice
        process.standardOutput = output
        try TestProcess.start(process)
        let line = OneShot<Data>()
        let reading = output.fileHandleForReading
        Thread.detachNewThread { line.fulfill(reading.availableData) }
        return (process, String(decoding: await line.value, as: UTF8.self))
    }
}
