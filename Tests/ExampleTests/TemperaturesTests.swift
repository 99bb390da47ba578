import Foundation
import Testing

/// Runs the built example as a user would.
@Suite("Temperatures", .timeLimit(.minutes(5)))
struct TemperaturesTests {
    private func run(_ arguments: [String]) async throws -> BuiltExample.Result {
        try await BuiltExample("Temperatures").run(arguments)
    }

    @Test("the fixture's means are printed, sorted, and saved")
    func fixture() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "temperatures-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = folder.appending(path: "deep/table.txt")
        let input = BuiltExample.root.appending(path: "Fixtures/temperatures/november.csv")
        let result = try await run([input.path, table.path])
        #expect(result.status == 0 && result.errors.isEmpty)
        let saved = try String(contentsOf: table, encoding: .utf8)
        #expect(result.output == saved + "written to \(table.path)\n")
        let lines = saved.split(separator: "\n")
        #expect(!lines.isEmpty && lines == lines.sorted())
        #expect(lines.allSatisfy { $0.hasSuffix(" °C") })
    }

    @Test("a line that is no reading fails with the step's name, and nothing is saved")
    func badLine() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "temperatures-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let input = folder.appending(path: "bad.csv")
        try Data("place,celsius\nOslo,mild\n".utf8).write(to: input)
        let result = try await run([input.path, folder.appending(path: "table.txt").path])
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("temperatures: step 2 of 5 \"parse\""))
        #expect(result.errors.contains("Oslo,mild"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["bad.csv"])
    }

    @Test("a call without arguments prints the usage")
    func usage() async throws {
        let result = try await run([])
        #expect(result.status == 64 && result.output.hasPrefix("usage:"))
    }
}
