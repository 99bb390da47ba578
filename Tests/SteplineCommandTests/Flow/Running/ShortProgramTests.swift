import Foundation
import SteplinePrograms
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

/// `make programs` runs them for longer.
@Suite("Workflow files: many short programs", .timeLimit(.minutes(60)))
struct ShortProgramTests {
    private static let count =
        ProcessInfo.processInfo.environment["STEPLINE_PROGRAMS"].flatMap { Int($0) }
        ?? (Chance.isSoak ? 2000 : 200)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("many short programs end without a wait for the clock")
    func manyShortOnes() async throws {
        // On this clock nothing that waits for a time ever ends.
        let clock = ManualClock()
        let call = ProgramCall(
            name: "echo", executable: URL(filePath: "/bin/echo"), arguments: ["x"], folder: folder.url,
            input: nil, limit: 10)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for index in 0..<Self.count {
                if index >= 8 { #expect(try await group.next() == Data("x\n".utf8)) }
                group.addTask { try await ProgramRun.output(of: call, clock: clock) }
            }
            for try await output in group { #expect(output == Data("x\n".utf8)) }
        }
    }

    #if os(Linux)
        @Test(
            "after many programs a flow has neither dead children nor open pipes"
        )
        func flow() async throws {
            let numbers = (0..<min(Self.count, 2000)).map(String.init).joined(separator: ",")
            // The command's open descriptors and dead children, as one of its children sees them.
            let look =
                "ls /proc/$PPID/fd | wc -l; grep -l '^State:.Z' $(grep -l \"^PPid:.$PPID$\" /proc/[0-9]*/status)"
            let run = try FlowCommandRun(
                """
                { tasks: {
                  all: { map: [\(numbers)], steps: [ { run: ["true"] } ] },
                  look: { after: "all", steps: [ { value: 1 }, { run: ["sh", "-c", '\(look.replacing("'", with: "\\'")); true'] }, { save: "look.txt" } ] },
                } }
                """)
            let result = try await run(
                "run", "flow.json5", "--allow-run", "true", "--allow-run", "sh", as: .process)
            #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
            let lines = try run.folder.text("look.txt").split(separator: "\n")
            let open = try #require(lines.first.flatMap { Int($0) })
            #expect(lines.count == 1 && open < 64, "\(lines)")
        }
    #endif
}
