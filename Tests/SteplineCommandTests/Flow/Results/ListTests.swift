import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline list", .timeLimit(.minutes(5)))
struct ListTests {
    private static let text = """
        {
          name: "weather", description: "The days to come",
          parameters: {
            city: "Oslo", server: { type: "string", required: true, description: "The API" },
            note: { type: "string", required: false }, unit: { type: "string", default: "°C", values: ["°C", "°F"] },
          },
          tasks: {
            geo: { description: "Where the city is", steps: [ { load: "${server}?${city}" } ] },
            report: { after: "geo", steps: [ { value: "${unit} ${note}" } ] },
            told: { runs: "always", steps: [ { value: "\\u001b[2J" } ] },
          },
        }
        """

    @Test("list writes tasks with descriptions, and parameters with defaults, although some are missing")
    func text() async throws {
        let result = try await FlowCommandRun(Self.text)("list", "flow.json5")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(
            result.output == """
                weather: The days to come
                tasks
                  geo     Where the city is
                  report
                  told
                parameters
                  city    "Oslo"    string
                  server  required  string; The API
                  note    none      string
                  unit    "°C"      string, one of "°C", "°F"

                """, "\(result.output)")
    }

    @Test("--json writes the same as an object, --names the names alone")
    func json() async throws {
        let flow = try FlowCommandRun(Self.text)
        let object = try JSON(parsing: try await flow("list", "flow.json5", "--json").data)
        #expect(object["name"] == "weather" && object["description"] == "The days to come")
        let tasks = try #require(object["tasks"]?.array)
        #expect(tasks.map { $0["name"] } == ["geo", "report", "told"])
        #expect(tasks[0]["description"] == "Where the city is" && tasks[1]["description"] == .null)
        #expect(tasks[1]["after"] == ["geo"] && tasks[2]["runs"] == "always")
        let parameters = try #require(object["parameters"]?.array)
        #expect(parameters[0]["default"] == "Oslo" && parameters[0]["required"] == false)
        #expect(parameters[1]["default"] == .null && parameters[1]["required"] == true)
        #expect(parameters[3]["values"] == ["°C", "°F"] && parameters[3]["type"] == "string")
        #expect(try await flow("list", "flow.json5", "--names", "tasks").output == "geo\nreport\ntold\n")
        let names = try await flow("list", "flow.json5", "--names", "parameters")
        #expect(names.output == "city\nserver\nnote\nunit\n")
    }

    @Test("control characters in descriptions don't reach the terminal")
    func control() async throws {
        let flow = try FlowCommandRun(
            "{ description: 'a\\u001b[2J', tasks: { b: { description: 'c\\nd', steps: [ { value: 1 } ] } } }")
        #expect(try await flow("list", "flow.json5").output == "flow: a [2J\ntasks\n  b  c d\n")
    }

    @Test("list of a file with mistakes reports the mistakes, and exits with 3")
    func mistakes() async throws {
        let result = try await FlowCommandRun("{ tasks: { a: { stps: [] } } }")("list", "flow.json5")
        #expect(result.status == 3 && result.output.isEmpty && result.errors.contains("stps"))
    }
}
