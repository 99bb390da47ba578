import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite(
    "New packages at compile time", .timeLimit(.minutes(5)), .enabled(if: Compiler.isThere, Compiler.absence))
struct NewPackageCompileTests {
    @Test("the package that stepline new makes compiles")
    func program() async throws {
        let compiler = try #require(Compiler())
        let folder = try TemporaryFolder()
        let process = Process()
        let command: URL? = compiler.command
        #expect(command != nil, "there is no command beside the modules")
        process.executableURL = command
        process.arguments = ["new", "Words", "--library", "https://example.com/x", "--from-version", "1.0.0"]
        process.currentDirectoryURL = folder.url
        #expect(try await TestProcess.output(of: process).status == 0)
        let sources = try folder.names(in: "Words/Sources/Words")
            .map { try folder.text("Words/Sources/Words/\($0)") }
        #expect(sources.contains { $0.contains("@main") })
        let found = try await compiler.errors(in: sources, options: ["-parse-as-library"])
        #expect(found.allSatisfy { $0.isEmpty }, "\(found)")
    }
}
