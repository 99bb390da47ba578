import Foundation
import TestProcesses
import Testing

@Suite("New packages at compile time", .timeLimit(.minutes(5)))
struct NewPackageCompileTests {
    @Test("what stepline new makes compiles")
    func program() async throws {
        guard let compiler = Compiler(), let command = compiler.command else {
            print("skipped: no swiftc, or no modules and command beside the test bundle")
            return
        }
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "stepline-new-\(UUID())")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }
        let process = Process()
        process.executableURL = command
        process.arguments = ["new", "Words", "--library", "https://example.com/x", "--from-version", "1.0.0"]
        process.currentDirectoryURL = folder
        #expect(try await TestProcess.output(of: process).status == 0)
        let sources = folder.appending(path: "Words/Sources/Words")
        let program = try files.contentsOfDirectory(atPath: sources.path).sorted()
            .map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }.joined()
        #expect(program.contains("@main"))
        let found = try await compiler.errors(in: program, options: ["-parse-as-library"])
        #expect(found.isEmpty, "\(found)")
    }
}
