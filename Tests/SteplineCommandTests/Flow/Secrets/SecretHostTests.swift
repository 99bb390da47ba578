import Foundation
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: secrets go to the host that the file names", .timeLimit(.minutes(5)))
struct SecretHostTests {
    private let named: LoopbackServer
    private let other: LoopbackServer

    init() throws {
        named = try LoopbackServer()
        other = try LoopbackServer()
        other.route("/end", .text("[2]"))
        named.route("/end", .text("[2]"))
        for status in [302, 303, 307] {
            named.route("/away/\(status)", .redirect(to: "\(other.url("/end"))", status: status))
        }
        named.route("/here", .redirect(to: "/end", status: 307))
        named.route("/list", LoopbackResponse.text("[1]").header("Link", "<\(other.url("/end"))>; rel=next"))
    }

    private func run(_ steps: String, with inner: String? = nil) async throws -> CommandResult {
        let flow = try FlowCommandRun(
            """
            { secrets: { token: { env: "API_TOKEN" } }, tasks: { a: { \(steps) } } }
            """)
        if let inner { try flow.write(inner, to: "inner.json5") }
        return try await Command.run(
            ["run", "flow.json5", "--allow-env", "API_TOKEN"], environment: ["API_TOKEN": "Geheim-12345"],
            in: flow.folder.url)
    }

    /// Headers that hold a secret by their expression or by their value.
    private static let headers = """
        headers: { "X-Api-Key": "key ${secrets.token}", "X-Made": "${slice(secrets.token, 0, 3)}x", "X-Plain": "p" }
        """

    private func expectBare(_ request: LoopbackRequest?) throws {
        let request = try #require(request)
        #expect(request["X-Api-Key"] == nil && request["X-Made"] == nil && request["X-Plain"] == "p")
    }

    @Test("a header with a secret follows no redirect to another host, and others do", arguments: [302, 307])
    func redirect(status: Int) async throws {
        let result = try await run("steps: [ { load: '\(named.url("/away/\(status)"))', \(Self.headers) } ]")
        #expect(result.status == 0, "\(result.errors)")
        #expect(named.requests.first?["X-Api-Key"] == "key Geheim-12345")
        #expect(named.requests.first?["X-Made"] == "Gehx")
        try expectBare(other.requests.first)
    }

    @Test("a header with a secret follows a redirect to its own host")
    func sameHost() async throws {
        let result = try await run("steps: [ { load: '\(named.url("/here"))', \(Self.headers) } ]")
        #expect(result.status == 0, "\(result.errors)")
        #expect(named.requests.map { $0["X-Api-Key"] } == ["key Geheim-12345", "key Geheim-12345"])
    }

    @Test("a header with a secret does not follow to a next page on another host")
    func pages() async throws {
        let result = try await run("steps: [ { pages: '\(named.url("/list"))', \(Self.headers) } ]")
        #expect(result.status == 0, "\(result.errors)")
        #expect(named.requests.first?["X-Api-Key"] == "key Geheim-12345")
        try expectBare(other.requests.first)
    }

    @Test("a secret that another file got as a parameter is one there, too")
    func parameter() async throws {
        let inner = """
            { parameters: { key: { type: "string" } }, tasks: {
              b: { steps: [ { load: '\(named.url("/away/302"))', headers: { "X-Api-Key": "${key}", "X-Plain": "p" } } ] } } }
            """
        let result = try await run(
            "flow: 'inner.json5', with: { key: 'k=${secrets.token}' }", with: inner)
        #expect(result.status == 0, "\(result.errors)")
        #expect(named.requests.first?["X-Api-Key"] == "k=Geheim-12345")
        try expectBare(other.requests.first)
    }

    @Test("a body with a secret isn't sent to another host: that is a failure, unless the redirect drops it")
    func body() async throws {
        let body = #"body: { key: "${secrets.token}" }"#
        let dropped = try await run("steps: [ { load: '\(named.url("/away/303"))', \(body) } ]")
        #expect(dropped.status == 0, "\(dropped.errors)")
        #expect(other.requests.map(\.body) == [Data()])
        let refused = try await run("steps: [ { load: '\(named.url("/away/307"))', \(body) } ]")
        #expect(refused.status == 1 && other.requests.count == 1)
        #expect(refused.errors.contains("with a secret in the body"), "\(refused.errors)")
        let pages = try await run("steps: [ { pages: '\(named.url("/list"))', \(body) } ]")
        #expect(pages.status == 1 && other.requests.count == 1)
        #expect(pages.errors.contains("a body with a secret isn't sent"), "\(pages.errors)")
    }
}
