import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run FLOW TASK…", .timeLimit(.minutes(5)))
struct SelectionTests {
    /// The tasks that ran since the last call.
    private func ran(_ flow: FlowCommandRun) throws -> [String] {
        let url = flow.folder.url.appending(path: "ran")
        defer { try? FileManager.default.removeItem(at: url) }
        return ((try? String(contentsOf: url, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
            .sorted()
    }

    private func run(_ flow: FlowCommandRun, _ words: [String] = []) async throws -> CommandResult {
        try await Command.run(["run", "flow.json5", "--allow-run", "sh"] + words, in: flow.folder.url)
    }

    /// A step that tells that its task was run, and hands on a value.
    private static func tells(_ name: String) -> String {
        #"{ run: ["sh", "-c", "echo \#(name) >> ran; echo \#(name)"] }"#
    }

    /// a -> b -> c -> d, where c takes b's value and the others only wait; e stands alone.
    private static let chain = """
        { tasks: {
          a: { steps: [ \(tells("a")) ] },
          b: { after: "a", steps: [ { value: 1 }, \(tells("b")) ] },
          c: { after: "b", steps: [ { use: "b" }, \(tells("c")) ] },
          d: { after: "c", steps: [ { value: 1 }, \(tells("d")) ] },
          e: { steps: [ \(tells("e")) ] },
        } }
        """

    @Test(
        "TASK, --from and --only say which tasks are run",
        arguments: [
            (["c"], "abc"), (["e", "a"], "ae"), (["--from", "d"], "d"), (["--from", "c"], "bcd"),
            (["--from", "b"], "bcd"), (["c", "--from", "b"], "bc"),
            (["--from", "a", "--from", "e"], "abcde"),
            (["d", "--only"], "d"), (["a", "d", "--only"], "ad"), (["b", "c", "--only"], "bc"), ([], "abcde"),
        ])
    func names(words: [String], expected: String) async throws {
        let flow = try FlowCommandRun(Self.chain)
        let result = try await run(flow, words)
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(try ran(flow).joined() == expected)
    }

    @Test("an unknown or ambiguous task is one line on stderr, and no task runs")
    func refusals() async throws {
        let flow = try FlowCommandRun(Self.chain)
        for (words, line) in [
            (["bb"], "flow.json5 has no task 'bb'; did you mean b?"), (["--from", "x"], "no task 'x'"),
            (["--only"], "--only requires the names of tasks"),
            (["a", "--only", "--from", "b"], "--only requires the names of tasks, without --from"),
            (["c", "--only"], "--only: 'c' takes the value of 'b', which isn't run"),
            (["-k", "-F"], "--keep-going and --fail-fast are opposites"),
            (["a", "--store", "runs.db"], "--store runs all tasks"),
        ] {
            let result = try await run(flow, words)
            #expect(result.status == 2 && result.complaints.count == 1, "\(result.errors)")
            #expect(result.errors.contains(line), "\(result.errors)")
        }
        #expect(try flow.folder.names() == ["flow.json5"])
    }

    @Test("--keep-going finishes what doesn't depend on a failure, though the file would cancel it")
    func keepGoing() async throws {
        let flow = try FlowCommandRun(
            """
            { onFailure: "cancelOthers", concurrency: 1, tasks: {
              bad: { priority: "high", steps: [ { transform: "1 / 0" } ] },
              below: { after: "bad", steps: [ \(Self.tells("below")) ] },
              good: { steps: [ \(Self.tells("good")) ] },
            } }
            """)
        for (words, expected) in [([], []), (["--keep-going"], ["good"])] as [([String], [String])] {
            let result = try await run(flow, words)
            #expect(try result.status == 1 && ran(flow) == expected, "\(words)")
        }
    }

    /// Sets when files were written, in hours from now.
    private func age(_ flow: FlowCommandRun, _ files: [String: Int]) throws {
        let now = Date()
        for (name, hours) in files {
            let path = flow.folder.url.appending(path: name).path
            if !FileManager.default.fileExists(atPath: path) { try flow.write(name, to: name) }
            let date = now.addingTimeInterval(Double(hours) * 3600)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
    }

    /// in.txt -> first -> mid.txt -> (load) -> last -> out.txt, and a check at the end.
    private static let made = """
        { parameters: { name: "mid" }, tasks: {
          first: { reads: ["extra.txt"], writes: ["${name}.txt"],
            steps: [ { load: "in.txt" }, \(tells("first")), { save: "${name}.txt" } ] },
          load: { after: "first", steps: [ { load: "mid.txt" }, \(tells("load")) ] },
          last: { after: "load", writes: "out.txt", steps: [ { use: "load" }, \(tells("last")), { save: "out.txt" } ] },
          check: { after: "last", steps: [ { value: 1 }, \(tells("check")) ] },
        } }
        """

    @Test(
        "as make has it, a task is run if what it writes is missing or older than what it is made of",
        arguments: [
            ([:], "check"), (["in.txt": -1], "check first last load"),
            (["extra.txt": -1], "check first last load"),
            (["mid.txt": -1], "check last load"), (["out.txt": -5], "check last load"),
            (["in.txt": -2], "check"),
        ] as [([String: Int], String)])
    func outdated(change: [String: Int], expected: String) async throws {
        let flow = try FlowCommandRun(Self.made)
        try age(flow, ["in.txt": -4, "extra.txt": -4, "mid.txt": -3, "out.txt": -2])
        // Between mid.txt and out.txt nothing has changed, though in.txt is as old as the latter.
        var change = change
        if change == ["in.txt": -2] { change = ["in.txt": -3, "mid.txt": -3] }
        try age(flow, change)
        let result = try await run(flow)
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(try ran(flow).joined(separator: " ") == expected)
        // The outputs are newer than the inputs.
        #expect(try await run(flow).status == 0)
        #expect(try ran(flow) == ["check"])
    }

    @Test("missing files are made, --anew makes all, and a named task that is up to date isn't run")
    func missing() async throws {
        let flow = try FlowCommandRun(Self.made)
        try age(flow, ["in.txt": -4, "extra.txt": -4])
        let all = ["check", "first", "last", "load"]
        for (words, expected) in [([], all), (["last"], []), (["--anew"], all)] as [([String], [String])] {
            let result = try await run(flow, words)
            #expect(try result.status == 0 && ran(flow) == expected, "\(words)")
        }
        try FileManager.default.removeItem(at: flow.folder.url.appending(path: "out.txt"))
        #expect(try await run(flow, ["last"]).status == 0)
        #expect(try ran(flow) == ["last", "load"])
        #expect(try await run(flow, ["last", "--only"]).status == 2)
    }

    @Test("a task that is up to date is run for its value, and then all that is made of it, once and for all")
    func value() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              p: { writes: "p.txt", steps: [ \(Self.tells("p")), { save: "p.txt" } ] },
              x: { after: "p", writes: "x.txt", steps: [ { use: "p" }, \(Self.tells("x")), { save: "x.txt" } ] },
              y: { after: "p", writes: "y.txt", steps: [ { use: "p" }, \(Self.tells("y")), { save: "y.txt" } ] },
            } }
            """)
        try age(flow, ["p.txt": -3, "x.txt": -2])
        for expected in [["p", "x", "y"], []] {
            #expect(try await run(flow).status == 0)
            #expect(try ran(flow) == expected)
        }
    }

    @Test("a task that hasn't written what it says has failed")
    func unwritten() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { writes: ['a.txt', 'b.txt'], steps: [ { value: 1 }, { save: 'a.txt' } ] } } }")
        let result = try await run(flow)
        #expect(result.status == 1)
        #expect(result.complaints == ["stepline: a failed: it has not written b.txt, as writes says"])
    }

    @Test("the time to select tasks grows linearly with their number", .soakOnly)
    func large() throws {
        let plans = try [1_000, 8_000].map { ($0, try chain($0)) }
        let growth = try growth(from: 1_000) { count in
            let plan = try #require(plans.first { $0.0 == count }?.1)
            let selection = try FlowSelection(
                .init(), of: plan, FlowTaskGraph(plan), files: FlowFiles(plan.setting))
            #expect(selection.tasks.count == count && selection.upToDate.isEmpty)
        }
        #expect(growth < 30)
    }

    private func chain(_ count: Int) throws -> FlowPlan {
        var text = "{ tasks: { t0: { writes: 'none', steps: [ { value: 1 } ] },\n"
        for number in 1..<count {
            text += "t\(number): { after: 't\(number - 1)', steps: [ { use: 't\(number - 1)' } ] },\n"
        }
        let source = FlowSource(name: "/tmp/f", text: text + "} }")
        var issues = FlowIssues()
        let file = try #require(FlowReader.read(source, &issues))
        let folder = FlowFolder(ofFile: "/tmp/f", in: "/tmp")
        let order = FlowChecker.check(file, folder: folder, &issues)
        return FlowPlan(file, order: order, setting: FlowSetting(source: source, folder: folder))
    }
}
