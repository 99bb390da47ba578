import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline test", .timeLimit(.minutes(5)))
struct FlowTestCommandTests {
    private static let places = """
        {"results": [{"name": "Oslo", "country_code": "no", "latitude": 59.91, "longitude": 10.75}]}
        """
    private static let days = """
        {"daily": [{"day": "Mon", "low": "-3.6", "high": 1.2}, {"day": "Tue", "low": -8, "high": "-2.5"}]}
        """

    /// The weather flow, recorded as a case; its server is gone.
    private func recordedWeather() async throws -> FlowCommandRun {
        let server = try LoopbackServer()
        server.route("/v1/search", .text(Self.places, type: "application/json"))
        server.route("/v1/forecast", .text(Self.days, type: "application/json"))
        let run = try FlowCommandRun(fixture: "weather.json5")
        let result = try await run(
            "run", "weather.json5", "--set", "server=http://127.0.0.1:\(server.port)", "--set", "city=Oslo",
            "--record", "weather.tests/oslo")
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        server.stop()
        return run
    }

    @Test("a run is recorded, its outcome taken as expected, and run again without a server")
    func weather() async throws {
        let run = try await recordedWeather()
        #expect(try run.folder.names(in: "weather.tests/oslo") == ["answers"])
        let files = try run.folder.names(in: "weather.tests/oslo/answers")
        #expect(files.count == 3 && files.last == "manifest.json")
        #expect(files.first?.hasPrefix("get-127.0.0.1-") == true && files.first?.hasSuffix(".http") == true)
        let file = try run.folder.text("weather.tests/oslo/answers/" + files[1])
        #expect(file.hasPrefix("GET http://127.0.0.1:") && file.contains("\n\n200\n"))
        #expect(file.contains("/v1/search?name=Oslo&count=5\nAccept: application/json\n"))
        #expect(file.hasSuffix("\n\n" + Self.places))
        let fresh = try await run("test", "weather.json5")
        #expect(fresh.status == 1 && fresh.complaints.isEmpty)
        #expect(
            fresh.output == """
                failed  oslo: nothing is expected yet
                          --update would expect files/out/Oslo.json
                1 case, 1 failed

                """)
        // The test case ignores files that are in the folder.
        try run.write("mine", to: "out/Oslo.json")
        let updated = try await run("test", "weather.json5", "--update")
        #expect(updated.output == "updated oslo: 1 file expected\n1 case, all passed\n")
        #expect(updated.status == 0 && updated.complaints.isEmpty)
        #expect(try run.folder.text("out/Oslo.json") == "mine")
        let expected = try run.folder.text("weather.tests/oslo/expected/files/out/Oslo.json")
        #expect(try JSON(parsing: expected)["text"] == "up to 1 °C on Mon")
        let passed = try await run("test", "weather.json5")
        #expect(passed.status == 0 && passed.output == "passed  oslo\n1 case, all passed\n")
        let quiet = try await run("test", "weather.json5", "oslo", "-q", "--update")
        #expect(quiet.status == 0 && quiet.output == "1 case, all passed\n")
    }

    @Test("a result that differs fails with its first difference and exit code 1")
    func differs() async throws {
        let run = try await recordedWeather()
        _ = try await run("test", "weather.json5", "--update")
        let text = try FlowFixtures.text("weather.json5").replacing("round(it.low)", with: "ceil(it.low)")
        try run.write(text, to: "weather.json5")
        let result = try await run("test", "weather.json5")
        #expect(result.status == 1)
        #expect(
            result.output == """
                failed  oslo: files/out/Oslo.json differs in line 6
                                  "day": "Mon",
                          -       "low": -4,
                          +       "low": -3,
                1 case, 1 failed

                """)
        try run.write(text.replacing("out/${city}", with: "${city}"), to: "weather.json5")
        let moved = try await run("test", "weather.json5")
        #expect(moved.output.contains("failed  oslo: not made\n          files/out/Oslo.json\n"))
    }

    @Test("a request that isn't in the recording fails with what was asked, and what there is")
    func missing() async throws {
        let run = try await recordedWeather()
        _ = try await run("test", "weather.json5", "--update")
        try run.write("{ parameters: { city: 'Paris' } }", to: "weather.tests/oslo/case.json5")
        let result = try await run("test", "weather.json5")
        #expect(result.status == 1)
        let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines[0] == "failed  oslo: unrecorded request or call")
        #expect(lines[1].hasPrefix("asked:    GET http://") && lines[1].hasSuffix("name=Paris&count=5"))
        #expect(lines[2].hasPrefix("recorded: GET http://") && lines[2].hasSuffix("name=Oslo&count=5"))
        // Nothing of it is taken as expected.
        let update = try await run("test", "weather.json5", "--update")
        #expect(update.status == 1)
        #expect(try run.folder.names(in: "weather.tests/oslo/expected/files/out") == ["Oslo.json"])
    }

    @Test("several cases, some of which are named; one that isn't there is guessed")
    func several() async throws {
        let run = try FlowCommandRun(
            "{ parameters: { n: 1 }, tasks: { twice: { steps: [ { value: '${n * 2}' } ] } } }")
        let none = try await run("test", "flow.json5")
        #expect(none.status == 2 && none.errors.contains("flow.json5 has no test cases: stepline run"))
        for (name, value) in [("one", "1"), ("two", "2")] {
            try run.write("{ parameters: { n: \(value) } }", to: "flow.tests/\(name)/case.json5")
        }
        #expect(try await run("test", "flow.json5", "--update").status == 0)
        #expect(try run.folder.text("flow.tests/two/expected/results/twice.json") == "4\n")
        try run.write("{ parameters: { n: 3 } }", to: "flow.tests/two/case.json5")
        let both = try await run("test", "flow.json5")
        #expect(
            both.output == """
                passed  one
                failed  two: results/twice.json differs in line 1
                          - 4
                          + 6
                2 cases, 1 failed

                """)
        #expect(try await run("test", "flow.json5", "one").status == 0)
        let guess = try await run("test", "flow.json5", "tow")
        #expect(guess.status == 2 && guess.errors.contains("no test case 'tow'; did you mean two?"))
        try run.write("{ tasks: { } }", to: "flow.json5")
        #expect(try await run("test", "flow.json5").status == 3)
        #expect(try await run("test", "-").status == 2)
    }

    @Test(
        "mistakes in case.json5, and unknown or missing parameters, are reported with their place",
        arguments: [
            ("{ paramters: {} }", "case.json5:1:3: error: unknown key \"paramters\""),
            ("{ now: 'soon' }", "case.json5:1:8: error: \"soon\" is no date"),
            ("{ fails: 1 }", "case.json5:1:10: error: fails is true or false"),
            ("{", "case.json5:1:"), ("{ parameters: { m: 1 } }", "no parameter 'm'; did you mean n?"),
            ("{}", "it gives no value for n"), ("{ parameters: { n: 'x' } }", "'n' expects number, got 'x'"),
            ("{ parameters: { n: 1 }, fails: true }", "case.json5 says that it fails"),
        ])
    func mistakenCases(_ text: String, _ words: String) async throws {
        let run = try FlowCommandRun(
            "{ parameters: { n: { type: 'number' } }, tasks: { a: { steps: [ { value: '${n}' } ] } } }")
        try run.write(text, to: "flow.tests/a/case.json5")
        let result = try await run("test", "flow.json5", "--update")
        #expect(result.status == 1 && result.output.contains(words), "\(result.output)\(result.errors)")
        #expect(result.output.hasPrefix("failed  a: "))
        #expect(try run.folder.names(in: "flow.tests/a") == ["case.json5"])
    }

    @Test("now() is the time of the recording, that of the case, or the same in every run")
    func dates() async throws {
        let run = try FlowCommandRun("{ tasks: { a: { steps: [ { transform: 'now()' } ] } } }")
        #expect(try await run("run", "flow.json5", "--record", "flow.tests/recorded").status == 0)
        try run.write("{}", to: "flow.tests/plain/case.json5")
        try run.write("{ now: '2026-11-23' }", to: "flow.tests/said/case.json5")
        #expect(try await run("test", "flow.json5", "--update").status == 0)
        let manifest = try JSON(parsing: run.folder.text("flow.tests/recorded/answers/manifest.json"))
        #expect(
            try JSON(parsing: run.folder.text("flow.tests/recorded/expected/results/a.json"))
                == (try #require(manifest["recorded"])))
        #expect(
            try run.folder.text("flow.tests/plain/expected/results/a.json") == "\"2000-01-01T00:00:00Z\"\n")
        #expect(
            try run.folder.text("flow.tests/said/expected/results/a.json") == "\"2026-11-23T00:00:00Z\"\n")
        let again = try await run("test", "flow.json5")
        #expect(again.status == 0)
    }

    @Test("a run that is to fail has its failures among what is expected, with no path of the machine's")
    func failures() async throws {
        let run = try FlowCommandRun(
            "{ tasks: { a: { steps: [ { load: 'in.txt' }, { parse: 'json' } ] }, b: { steps: [ { value: 1 } ] } } }"
        )
        try run.write("{}", to: "flow.tests/broken/case.json5")
        try run.write("no json", to: "flow.tests/broken/inputs/in.txt")
        let failed = try await run("test", run.folder.url.path + "/flow.json5", "--update")
        #expect(failed.status == 1 && failed.output.hasPrefix("failed  broken: the run failed\n"))
        #expect(failed.output.contains("          a: parse json (flow.json5:1:48): "))
        try run.write("{ fails: true }", to: "flow.tests/broken/case.json5")
        #expect(try await run("test", "flow.json5", "--update").status == 0)
        let names = try run.folder.names(in: "flow.tests/broken/expected")
        #expect(names == ["failures.txt", "results"])
        #expect(try await run("test", "flow.json5").status == 0)
        try run.write("[]", to: "flow.tests/broken/inputs/in.txt")
        let other = try await run("test", "flow.json5")
        #expect(other.status == 1 && other.output.contains("failed  broken: the run succeeded\n"))
    }
}
