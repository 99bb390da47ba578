import Foundation
import SteplinePostgreSQL
import SteplineRuns
import SteplineTesting
import TestServers
import TestSupport
import Testing

@testable import SteplineCommand

/// The command's messages and refusals about workers.
@Suite(.timeLimit(.minutes(5)))
struct WorkCommandTests {
    private static let plain = "{ tasks: { a: { steps: [ { value: 1 } ] } } }"
    private static let secret =
        "{ secrets: { t: { env: 'FLOW_T' } }, tasks: { a: { steps: [ { value: '${secrets.t}' } ] } } }"

    @Test(
        "DR-60: invalid options of workers are one line with exit code 2, and make no store",
        arguments: [
            (["run", "flow.json5", "--on", "workers"], "--on workers requires --store"),
            (["run", "flow.json5", "--slots", "2", "--store", "x"], "--slots requires --on workers"),
            (["run", "flow.json5", "--on", "nowhere", "--store", "x"], "workers, slurm, not 'nowhere'"),
            (
                ["run", "flow.json5", "--on", "workers", "--store", "x"],
                "x is a store of one machine: workers require"
            ),
            (
                ["run", "flow.json5", "--on", "workers", "--store", "x", "--record", "y"],
                "--record records only this process: leave out --on workers"
            ),
            (
                ["work", "flow.json5", "--store", "x"],
                "x is a store of one machine: workers require a server"
            ),
            (["work", "flow.json5"], "--store is missing, and STEPLINE_STORE isn't set"),
            (
                ["work", "flow.json5", "--store", "mysql://x"],
                "--store: mysql://… is no supported kind of store"
            ),
            (["work", "-", "--store", "x"], "standard input can't be read again"),
            (["work"], "FLOW is missing"),
            (["work", "flow.json5", "a", "--store", "x"], "unexpected argument 'a'"),
            (["work", "flow.json5", "--slots", "0", "--store", "x"], "a whole number from 1 to 10000"),
            (["work", "flow.json5", "--grace", "soon", "--store", "x"], "a length of time"),
            (["work", "flow.json5", "--set", "a=b", "--store", "x"], "unknown option --set"),
        ])
    func refused(words: [String], line: String) async throws {
        let flow = try FlowCommandRun(Self.plain)
        let result = try await Command.run(
            words, environment: ["STEPLINE_STORE": ""], in: flow.folder.url)
        #expect(result.status == 2 && result.data.isEmpty, "\(result)")
        #expect(result.complaints.count == 1 && result.errors.contains(line), "\(result.errors)")
        #expect(result.errors.contains("(stepline \(words[0]) --help)"))
        #expect(try flow.folder.names() == ["flow.json5"])
    }

    @Test(
        "DR-48: a worker refuses a flow as run does: mistakes, denied programs and variables, unset secrets",
        arguments: [
            ("{ tasks: { a: { stepps: [] } } }", [], 3, "flow.json5:1:"),
            (
                "{ tasks: { a: { steps: [ { run: ['sh', '-c', 'true'] } ] } } }", [], 3,
                "--allow-run sh would allow it"
            ),
            (secret, [], 3, "--allow-env FLOW_T would allow it"),
            (secret, ["--allow-env", "FLOW_T"], 2, "set FLOW_T in the environment"),
        ] as [(String, [String], Int32, String)])
    func mistaken(text: String, words: [String], code: Int32, line: String) async throws {
        let flow = try FlowCommandRun(text)
        let result = try await Command.run(
            ["work", "flow.json5", "--store", "postgresql://nobody@127.0.0.1:1/none"] + words,
            in: flow.folder.url)
        #expect(result.status == code && result.errors.contains(line), "\(result)")
    }

    @Test(
        "DR-48: a run's parameters reach its workers, also those that were kept before there were workers")
    func manner() throws {
        var arguments = Arguments()
        arguments.operands = ["flow.json5"]
        arguments.add(3, for: Option.jobs.row)
        arguments.add(true, for: Option.keepGoing.row)
        let flow = try FlowCommandRun(
            "{ onFailure: 'cancelOthers', tasks: { a: { steps: [ { value: 1 } ] } } }")
        let session = Session(
            output: OutputHandle(descriptor: 1), errors: OutputHandle(descriptor: 2), environment: [:],
            folder: flow.folder.url)
        let input = FlowRunInput(arguments, session)
        let kept = try #require(FlowRunInput(kept: input.data()))
        var plan = try #require(try FlowInput(arguments, session).plan)
        #expect(plan.jobs == 8 && plan.cancelsOthersOnFailure)
        kept.manner?.settle(&plan)
        #expect(plan.jobs == 3 && !plan.cancelsOthersOnFailure)
        let old = Data(#"{"flow":"/f","set":[],"allowRun":[],"allowPath":[],"isOffline":false}"#.utf8)
        #expect(FlowRunInput(kept: old)?.manner == nil && FlowRunInput(kept: old)?.flow == "/f")
    }

    @Test(
        "DR-48: a worker brings its own secrets, and tells none of them",
        .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
    func secrets() async throws {
        let site = try LoopbackServer()
        site.route("/login", .text("ok"))
        let flow = try FlowCommandRun(
            """
            { parameters: { s: "" }, secrets: { t: { command: ["sh", "-c", "echo $0-$FLOW_T", "${s}"] } }, tasks: {
              a: { steps: [ { load: "${s}/login", headers: { token: "${secrets.t}" } }, { parse: "text" } ] },
              b: { after: "a", steps: [ { load: "${s}/none/${secrets.t}" } ] },
            } }
            """)
        let store = try await TestServer.shared().newDatabase()
        let (place, secret) = ("http://127.0.0.1:\(site.port)", "of-the-worker")
        let worker = try StartedCommand(
            ["work", "flow.json5", "--store", store, "--allow-run", "sh", "--allow-env", "FLOW_T", "--json"],
            in: flow.folder.url, environment: ["FLOW_T": secret])
        let ran = try await Command.run(
            [
                "run", "flow.json5", "--store", store, "--key", "k", "--on", "workers", "--allow-run", "sh",
                "--allow-env", "FLOW_T", "--set", "s=\(place)",
            ], environment: ["FLOW_T": "of-the-owner"], in: flow.folder.url)
        worker.signal(SIGTERM)
        let worked = await worker.result()
        #expect(ran.status == 1 && ran.errors.contains("b failed: "), "\(ran.errors)")
        #expect(site.requests.first?["token"] == "\(place)-\(secret)")
        let shown = try await flow("runs", "show", "k", "--store", store, "--json")
        for text in [ran.errors, worked.output, worked.errors, shown.output] {
            #expect(!text.contains(secret) && !text.isEmpty || text == worked.errors, "\(text)")
        }
        #expect(worked.output.contains("[secret t]"))
    }

    @Test(
        "DR-45, DR-48: a worker leaves a flow's steps to others that it may not run, and show says so",
        .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
    func leftToOthers() async throws {
        let flow = try FlowCommandRun(Self.plain)
        let store = try await TestServer.shared().newDatabase()
        func work(_ words: String...) throws -> StartedCommand {
            try StartedCommand(
                ["work", "flow.json5", "--store", store, "--json"] + words, in: flow.folder.url)
        }
        let cautious = try work()
        await cautious.waitForLine("joined")
        try flow.write(
            "{ tasks: { b: { steps: [ { run: ['sh', '-c', 'echo done'] } ] } } }", to: "flow.json5")
        let run = try StartedCommand(
            [
                "run", "flow.json5", "--store", store, "--key", "k", "--on", "workers", "--allow-run", "sh",
            ], in: flow.folder.url)
        await cautious.waitForLine("unknown")
        let shown = try await flow("runs", "show", "k", "--store", store)
        #expect(shown.output.contains("no live worker can run task b version "), "\(shown.output)")
        let other = try work("--allow-run", "sh")
        #expect(await run.result().status == 0)
        for worker in [cautious, other] { worker.signal(SIGTERM) }
        let left = await cautious.result()
        #expect(
            left.status == 0 && left.output.contains("--allow-run sh would allow it"), "\(left.output)")
        #expect(try await other.result().steps("ended") == ["b"])
    }
}
