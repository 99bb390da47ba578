import Foundation
import SteplineSupport
import TestServers
import Testing

/// The program that runs a random workflow in a process of its own.
enum KilledProgram {
    /// Where the test bundle lies, the program lies too.
    static func program() throws -> URL {
        let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }
        return try #require(
            folders.map { $0.appending(path: "KilledRun") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) },
            "the program isn't beside the tests")
    }

    /// Runs it to its end; what it has printed, and whether a signal ended it.
    ///
    /// `first` is given what it has printed first, as soon as that comes.
    static func run(
        _ arguments: [String], first: (@Sendable (String) -> Void)? = nil
    ) async throws -> (lines: [String], wasKilled: Bool) {
        let process = Process()
        process.executableURL = try program()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        let ended = OneShot<Void>()
        process.terminationHandler = { _ in ended.fulfill(()) }
        try TestProcess.start(process)
        let data = OneShot<Data>()
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            let start = first == nil ? Data() : reading.availableData
            first?(String(decoding: start.prefix { $0 != 0x0A }, as: UTF8.self))
            let rest = reading.readDataToEndOfFile()
            // Foundation holds on to processes, and thousands of open files are too many for it.
            try? reading.close()
            data.fulfill(start + rest)
        }
        let lines = String(decoding: await data.value, as: UTF8.self).split(separator: "\n").map(String.init)
        await ended.value
        return (lines, process.terminationReason == .uncaughtSignal)
    }
}
