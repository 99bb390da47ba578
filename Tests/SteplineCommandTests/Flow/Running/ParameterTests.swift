import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Parameters of a flow that say which values they may have", .timeLimit(.minutes(5)))
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
        "--set is checked against the allowed values before anything runs",
        arguments: [
            ("mode=weekly", #"--set mode: "weekly" is none of "daily", "hourly""#),
            ("code=norway", #"--set code: "norway" doesn't look like [a-z]{2}"#),
            ("codes=no,x", #"--set codes: "x" doesn't look like [a-z]{2}"#),
            ("n=0", "--set n: 0 is less than 1"), ("n=10", "--set n: 10 is more than 9"),
            ("n=1.5", "parameter 'n' expects integer, got '1.5'"),
            ("codes=[1", "parameter 'codes' expects list, got '[1'"),
        ])
    func refused(set: String, message: String) async throws {
        let flow = try flow()
        let result = try await flow("run", "flow.json5", "--set", set)
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
        #expect(try flow.folder.names() == ["flow.json5"])
    }

    @Test("allowed values of parameters are accepted, and list writes them")
    func accepted() async throws {
        let flow = try flow()
        let result = try await flow(
            "run", "flow.json5", "--set", "mode=hourly", "--set", "codes=no,se", "--set", "n=9")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try flow.folder.text("a.txt") == "hourly no 2 9")
        let listed = try await flow("list", "flow.json5").output
        #expect(listed.contains(#"string, one of "daily", "hourly"; How often."#), "\(listed)")
        #expect(listed.contains("integer, from 1, to 9"), "\(listed)")
    }
}
