import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@Suite("Workflow files: tables joined, with a secret", .timeLimit(.minutes(5)))
struct SalesFlowTests {
    private func run(_ flow: FlowCommandRun, _ server: LoopbackServer, _ more: String...) async throws
        -> CommandResult
    {
        try await Command.run(
            [
                "run", "sales.json5", "--set", "server=http://127.0.0.1:\(server.port)", "--allow-env",
                "SHOP_TOKEN", "--allow-run", "wc",
            ] + more, environment: ["SHOP_TOKEN": "hush-hush"], in: flow.folder.url)
    }

    @Test(
        "months are loaded with the token, joined, sorted by date, and not made again; a failure has no token"
    )
    func sales() async throws {
        let server = try LoopbackServer()
        server.route("/goods.csv", .text("id,name\n1,tea\n2,\"jam, red\"\n"))
        server.route("/sales/2026-01.csv", .text("good,at\n2,2026-01-31T23:30:00Z\n1,2026-01-02T08:00:00Z\n"))
        server.route(
            "/sales/2026-02.csv", inTurn: [.text("good,at\n3,2026-02-01T09:00:00Z\n"), .status(403)])
        let flow = try FlowCommandRun(fixture: "sales.json5")
        let result = try await run(flow, server)
        #expect(result.status == 0 && result.complaints.isEmpty, "\(result.errors)")
        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0["Authorization"] == "Bearer hush-hush" })
        let rows = try JSON(parsing: try flow.folder.text("out/sales.json"))
        #expect(rows.elements.map { $0["name"]?.string } == ["tea", "jam, red", "unknown"])
        // Half past eleven in the evening in UTC is the next day in Oslo.
        #expect(rows.elements.map { $0["day"]?.string } == ["2026-01-02", "2026-02-01", "2026-02-01"])
        let size = try flow.folder.text("out/size.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(Int(size) == (try flow.folder.text("out/sales.json")).utf8.count - 1)
        #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == size)
        let again = try await run(flow, server, "report")
        #expect(again.status == 0 && server.requests.count == 3)
        let failed = try await run(flow, server, "--anew")
        #expect(failed.status == 1 && failed.complaints.count == 1, "\(failed.errors)")
        #expect(failed.errors.hasPrefix("stepline: months failed: months[2026-02]: load (sales.json5:"))
        #expect(!failed.errors.contains("hush"))
    }
}
