import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows: pages by a parameter", .timeLimit(.minutes(5)))
struct PageParameterTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func pages(_ keys: String) async throws -> (CommandResult, values: String) {
        let flow = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { pages: "\(server.url("/list"))?size=2", records: "$.items[*]", \(keys) },
              { save: "out.json" } ] } } }
            """)
        let result = try await flow("run", "flow.json5")
        return (result, (try? flow.folder.text("out.json")) ?? "")
    }

    /// Sets the server's answer by the parameters of the request.
    private func answer(_ make: @escaping @Sendable ([String: String]) -> String) {
        server.route("/list") { request in
            let parts = URLComponents(string: "/?" + (request.query ?? ""))?.queryItems ?? []
            return .text(
                make(Dictionary(parts.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $0 + "," + $1 }))
            )
        }
    }

    @Test("a cursor is encoded into the next address, until a page has none")
    func cursor() async throws {
        answer { query in
            switch query["after"] {
            case nil: #"{"items": [1], "next": "a+/=&?é"}"#
            case "a+/=&?é": #"{"items": [2], "next": 7}"#
            case "7": #"{"items": [], "next": 8}"#
            case "8": #"{"items": [3], "next": null}"#
            default: "broken: \(query)"
            }
        }
        let (result, values) = try await pages(#"next: { parameter: "after", at: "$.next" }"#)
        #expect(result.status == 0, "\(result.errors)")
        #expect(values == "[1,2,3]\n")
        #expect(server.requests.allSatisfy { $0.query?.contains("size=2") == true })
    }

    @Test("pages and offsets are counted up to a page without records, or as long as a page says")
    func counted() async throws {
        answer { query in
            let number = Int(query["page"] ?? query["offset"] ?? "") ?? -1
            return #"{"items": [\#(number > 6 ? "" : "\(number)")], "more": \#(number < 4)}"#
        }
        for (keys, expected) in [
            (#"next: { parameter: "page" }"#, "[1,2,3,4,5,6]\n"),
            (#"next: { parameter: "offset", from: 0, step: 3 }"#, "[0,3,6]\n"),
            (#"next: { parameter: "page", from: 2, more: "$.more" }"#, "[2,3,4]\n"),
        ] {
            let (result, values) = try await pages(keys)
            #expect(result.status == 0 && values == expected, "\(keys): \(values) \(result.errors)")
        }
        #expect(server.requests.first?.query == "size=2&page=1")
    }

    @Test(
        "a cursor that comes again, pages without an end, and what is no answer are failures with their place"
    )
    func faulty() async throws {
        answer { query in #"{"items": [1], "same": "x", "odd": [], "more": "yes"}"# }
        for (keys, reason) in [
            (#"next: { parameter: "after", at: "$.same" }"#, "leads back"),
            (#"next: { parameter: "page" }, most: 4"#, "more than 4 pages"),
            (
                #"next: { parameter: "after", at: "$.odd" }"#,
                "page 1: $.odd is a list, no text or number"
            ),
            (
                #"next: { parameter: "p", more: "$.more" }"#,
                "page 1: $.more is a text, not true or false"
            ),
        ] {
            let (result, _) = try await pages(keys)
            #expect(result.status == 1 && result.errors.contains(reason), "\(keys): \(result.errors)")
            #expect(result.errors.contains("flow.json5:1:28"), "\(result.errors)")
        }
        answer { _ in "<html>busy" }
        for keys in [#"next: { parameter: "page" }"#, #"next: "$.next""#] {
            let (result, _) = try await pages(keys)
            #expect(result.status == 1 && result.errors.contains("page 1 is no JSON"), "\(result.errors)")
        }
    }
}
