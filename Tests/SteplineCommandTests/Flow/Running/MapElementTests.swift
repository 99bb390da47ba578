import Foundation
import SteplineJSON
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

@testable import SteplineCommand

/// The elements of a map, wherever a run is told.
@Suite("stepline run: elements of a map", .timeLimit(.minutes(5)))
struct MapElementTests {
    private static let flow = """
        { tasks: {
          each: { map: ["Paris", "Oslo", "Oslo", 7], steps: [ { transform: "item + '!'" }, { transform: "it" } ] },
          named: { map: [{ id: "a" }, { id: "b" }], key: "item.id", steps: [ { value: 1 } ] },
          plain: { map: [[1], {}], steps: [ { value: 1 } ] },
          none: { map: [], steps: [ { value: 1 } ] },
          all: { after: ["each", "none"], steps: [ { value: "${tasks.each}" }, { save: "all.json" } ] },
        } }
        """

    private static let names = [
        "each[Paris]", "each[Oslo]", "each[Oslo (2)]", "each[7]", "named[a]", "named[b]", "plain[0]",
        "plain[1]",
    ]

    @Test("each element is in the log by its key, with its steps, between the begin and the end of its map")
    func log() async throws {
        let flow = try FlowCommandRun(Self.flow)
        let result = try await flow("run", "flow.json5", "--log-format", "json")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.text("all.json") == #"["Paris!","Oslo!","Oslo!","7!"]"# + "\n")
        let events = try result.complaints.map { try JSON(parsing: $0) }
        func places(_ task: String, _ event: String) -> [Int] {
            events.indices.filter {
                events[$0]["task"]?.string == task && events[$0]["event"]?.string == event
            }
        }
        for name in Self.names {
            let map = String(name.prefix { $0 != "[" })
            let begin = try #require(places(name, "started").first, "\(name)")
            let end = try #require(places(name, "finished").first)
            #expect(places(map, "started")[0] < begin && end < places(map, "finished")[0])
            let steps = places(name, "stepEnded")
            #expect(steps.count == (map == "each" ? 2 : 1))
            #expect(steps.allSatisfy { begin < $0 && $0 < end })
        }
        #expect(events.last?["tasks"]?.int == 5)
    }

    @Test("reports and traces show tasks and elements, also of a kept run, whose internal list isn't counted")
    func pictures() async throws {
        for kept in [[], ["--store", "runs.db", "--key", "k"]] {
            let flow = try FlowCommandRun(Self.flow)
            let result = try await Command.run(
                ["run", "flow.json5", "--report", "r.html", "--trace", "t.json", "--log-format", "json"]
                    + kept,
                in: flow.folder.url)
            #expect(result.status == 0, "\(result.errors)")
            let (report, trace) = (try flow.folder.text("r.html"), try flow.folder.text("t.json"))
            for name in Self.names + ["all"] {
                #expect(report.contains(name) && trace.contains("\"\(name)\""), "\(name) \(kept)")
                #expect(result.errors.contains("\"\(name)\""), "\(name) \(kept)")
            }
            #expect(throws: Never.self) { try JSON(parsing: trace) }
            let summary = try JSON(parsing: try #require(result.complaints.last))
            #expect(summary["tasks"]?.int == 5 && summary["finished"]?.int == 5, "\(summary)")
            #expect(!result.errors.contains("each list"))
        }
    }

    @Test("an element's failure is reported once, with its key")
    func failures() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { each: { map: [2, 0, 1], steps: [ { transform: '1 / item' } ] } } }")
        let result = try await flow("run", "flow.json5")
        #expect(
            result.complaints
                == ["stepline: each failed: each[0]: transform (flow.json5:1:61): division by zero"])
        let skipping = try FlowCommandRun(
            "{ tasks: { each: { map: [2, 0, 1], skipFailures: true, steps: [ { transform: '1 / item' } ] } } }"
        )
        let skipped = try await skipping("run", "flow.json5")
        #expect(skipped.status == 0)
        #expect(
            skipped.complaints
                == ["stepline: warning: each[0] is left out: transform (flow.json5:1:81): division by zero"])
    }
}
