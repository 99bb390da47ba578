import Foundation
import SteplineSupport
import TestProcesses
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
        let output = TestProcess.pipe()
        process.standardOutput = output
        let ended = TestProcess.ending(of: process)
        try TestProcess.start(process)
        let data = await TestProcess.reading(output) { start in
            first?(String(decoding: start.prefix { $0 != 0x0A }, as: UTF8.self))
        }.value
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        await ended.value
        return (lines, process.terminationReason == .uncaughtSignal)
    }
}
