import Foundation
import TestServers
import Testing

/// A built example, run as a user would run it.
struct BuiltExample {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Where the package lies.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let executable: URL

    /// Where the test bundle lies, the built products lie too.
    init(_ name: String) throws {
        let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let places = bundles.flatMap { [$0, $0.deletingLastPathComponent()] }.map { $0.appending(path: name) }
        executable = try #require(
            places.first { FileManager.default.isExecutableFile(atPath: $0.path) },
            "the example isn't beside the tests"
        )
    }

    /// Runs it beside others, to its end; what it has written, complaints included.
    func runBeside(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (text: String, status: Int32) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        return try await TestProcess.output(of: process, withErrors: true)
    }

    func run(_ arguments: [String], input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = Self.root
        let (given, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = given
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Short enough for a pipe to hold, so that no write waits for a reader.
        given.fileHandleForWriting.write(Data(input.utf8))
        try given.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self)
        )
    }
}
