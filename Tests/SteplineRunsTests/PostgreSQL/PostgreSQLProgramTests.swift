import SteplinePostgreSQL
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import Testing

@testable import SteplineRuns

/// A program whose runs may be kept on a server.
private struct Shared: DurableWorkflow {
    static let stores: [RunStoreKind] = [.postgreSQL, .file]

    static func build(_ workflow: Workflow, _ input: NoInput) throws {
        try workflow.add("b", after: workflow.add("a") { 1 }) { $0 + 1 }
    }
}

@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct PostgreSQLProgramTests {
    private func run(_ words: String...) async -> (code: Int32, said: String) {
        let said = Recorder<String>()
        let output = ProgramOutput(environment: [:]) {
            said.record($0)
        } complain: {
            said.record($0)
        }
        let code = await DurableProgram(Shared.self, called: "shared", output).run(words)
        return (code, said.values.joined())
    }

    @Test
    func `DR-40, DR-60: a program prepares a server, runs there, and tells the commands without a password`()
        async throws
    {
        let server = try await TestServer.shared()
        let name = "program\(UInt32.random(in: 0...UInt32.max))"
        try await server.sql("CREATE DATABASE \(name)")
        let url = server.url(name).replacing("runs@", with: "runs:hush@")
        let early = await run("runs", "list", "--store", url)
        #expect(early.code == 1 && early.said.contains("runs prepare") && !early.said.contains("hush"))
        for _ in 0..<2 {
            let prepared = await run("runs", "prepare", "--store", url)
            #expect(prepared.code == 0 && prepared.said.hasSuffix("/\(name) is prepared\n"))
        }
        let first = await run("run", "--store", url, "--key", "k")
        #expect(first.code == 0, "\(first.said)")
        let second = await run("run", "--store", url, "--key", "k")
        #expect(
            second.code == 0 && second.said.contains("kept of shared/k: 2 steps (a, b)"), "\(second.said)")
        let list = await run("runs", "list", "--store", url)
        #expect(list.said.contains("finished"))
        let shown = await run("runs", "show", "k", "--store", url)
        #expect(shown.code == 0 && !shown.said.contains("hush"), "\(shown.said)")
    }

    @Test func `a URL that matches no kind of store is refused, and the message doesn't show it`() async {
        let refused = await run("runs", "list", "--store", "mysql://runs:hush@db/runs")
        #expect(refused.code == 2 && refused.said.contains("mysql://…") && !refused.said.contains("hush"))
    }

    @Test(arguments: [
        ("postgresql://runs:hush@db/runs", "postgresql://runs@db/runs"),
        ("postgres://db/runs?sslmode=require&password=hush", "postgres://db/runs?sslmode=require"),
        ("postgresql://db/runs?password=hush", "postgresql://db/runs"),
        ("postgresql://db/runs", "postgresql://db/runs"),
        ("postgresql://runs:hu:sh@\u{301}db/runs", "postgresql://runs@\u{301}db/runs"),
        ("postgresql://db/runs?\u{301}a=b&\u{301}password=hush", "postgresql://db/runs?\u{301}a=b"),
    ])
    func `DR-26: a URL is shown without its password`(url: String, shown: String) throws {
        #expect(try RunStorePlace(url, of: [.postgreSQL, .file]).shown == shown)
    }
}
