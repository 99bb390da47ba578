import Foundation
import TestProcesses
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

    func run(_ arguments: [String], input: String = "") async throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = Self.root
        let end = try await TestProcess.run(process, input: Data(input.utf8))
        return Result(
            status: end.status, output: String(decoding: end.output, as: UTF8.self),
            errors: String(decoding: end.errors, as: UTF8.self)
        )
    }
}
