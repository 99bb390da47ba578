package import Foundation
import SteplineSupport

/// Processes that tests start.
package enum TestProcess {
    /// A script that fails, with what it has written.
    package struct Failure: Error, CustomStringConvertible { package let description: String }

    private static let starting = Locked(false)

    /// Starts one at a time: Foundation's own lists of open files are not made for two.
    package static func start(_ process: Process) throws { try starting.withLock { _ in try process.run() } }

    /// What a process writes until it ends, and what it ends with.
    package static func output(
        of process: Process, withErrors: Bool = false
    ) async throws -> (text: String, status: Int32) {
        let output = Pipe()
        process.standardOutput = output
        if withErrors { process.standardError = output }
        process.standardInput = FileHandle.nullDevice
        let ended = OneShot<Void>()
        process.terminationHandler = { _ in ended.fulfill(()) }
        try start(process)
        let data = OneShot<Data>()
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            let all = reading.readDataToEndOfFile()
            // Foundation holds on to processes, and thousands of open files are too many for it.
            try? reading.close()
            data.fulfill(all)
        }
        let text = String(decoding: await data.value, as: UTF8.self)
        await ended.value
        return (text, process.terminationStatus)
    }

    /// What a script of the shell's writes, which takes a minute at the most.
    @discardableResult
    static func shell(
        _ script: String, _ arguments: [String], environment: [String: String]? = nil, in folder: URL? = nil
    ) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["60", "/bin/sh", "-c", script, "sh"] + arguments
        process.environment = environment
        if let folder { process.currentDirectoryURL = folder }
        process.standardError = FileHandle.nullDevice
        let (text, status) = try await output(of: process)
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
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        // Who has started the tests waits until nobody writes there any more.
        process.standardError = FileHandle.nullDevice
        process.standardOutput = output
        try start(process)
        let line = OneShot<Data>()
        let reading = output.fileHandleForReading
        Thread.detachNewThread { line.fulfill(reading.availableData) }
        return (process, String(decoding: await line.value, as: UTF8.self))
    }
}
