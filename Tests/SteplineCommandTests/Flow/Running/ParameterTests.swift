import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Parameters of a flow that say which values they may have (issue 18)", .timeLimit(.minutes(5)))
struct ParameterTests {
    private func flow() throws -> FlowCommandRun {
        try FlowCommandRun(
            """
            { parameters: {
                mode: { values: ["daily", "hourly"], default: "daily", description: "How often." },
                code: { pattern: "[a-z]{2}", default: "no" },
                codes: { type: "list", pattern: "[a-z]{2}", default: [] },
                n: { type: "integer", minimum: 1, maximum: 9, default: 3 },
              },
              tasks: { a: { steps: [ { value: "${mode} ${code} ${length(codes)} ${n}" }, { save: "a.txt" } ] } } }
            """)
    }

    @Test(
        "--set is held against them, and the mistake is told before anything is run",
        arguments: [
            ("mode=weekly", #"--set mode: "weekly" is none of "daily", "hourly""#),
            ("code=norway", #"--set code: "norway" doesn't look like [a-z]{2}"#),
            ("codes=no,x", #"--set codes: "x" doesn't look like [a-z]{2}"#),
            ("n=0", "--set n: 0 is less than 1"), ("n=10", "--set n: 10 is more than 9"),
            ("n=1.5", "'1.5' is no integer, as the parameter 'n' wants"),
            ("codes=[1", "'[1' is no list, as the parameter 'codes' wants"),
        ])
    func refused(set: String, message: String) async throws {
        let flow = try flow()
        let result = try await flow("run", "flow.json5", "--set", set)
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
        #expect(try flow.folder.names() == ["flow.json5"])
    }

    @Test("allowed values of parameters are accepted, and explain lists them")
    func accepted() async throws {
        let flow = try flow()
        let result = try await flow(
            "run", "flow.json5", "--set", "mode=hourly", "--set", "codes=no,se", "--set", "n=9")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.text("a.txt") == "hourly no 2 9")
        let explained = try await flow("explain", "flow.json5", "a").output
        #expect(
            explained.contains(#"mode = "daily" (string, one of "daily", "hourly"; How often.)"#),
            "\(explained)")
        #expect(explained.contains("n = 3 (integer, from 1, to 9)"), "\(explained)")
    }

    @Test("check tells what can't be meant")
    func mistakes() async throws {
        let flow = try FlowCommandRun(
            """
            { parameters: {
                a: { values: ["x", 1], default: "y" },
                b: { values: [] },
                c: { pattern: "[a-" },
                d: { type: "integer", pattern: "a", minimum: 3, maximum: 2 },
                e: { minimum: 1 },
              },
              tasks: { t: { steps: [ { value: "${a}${b}${c}${d}${e}" } ] } } }
            """)
        let result = try await flow("check", "flow.json5")
        #expect(
            result.output.split(separator: "\n").map { String($0.dropFirst("flow.json5:".count)) } == [
                "2:24: error: a number is no value of type string",
                "2:37: error: the default: \"y\" is none of \"x\"",
                "3:18: error: values is empty: none would do",
                "4:20: error: this [ is never closed",
                "5:36: error: a pattern is for texts, but the type is integer",
                "5:62: error: the maximum is less than the minimum: no value would do",
                "6:19: error: a minimum is for numbers, but the type is string",
            ], "\(result.output)")
    }
}
