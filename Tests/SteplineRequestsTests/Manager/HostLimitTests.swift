import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Limits by host", .timeLimit(.minutes(5)))
struct HostLimitTests {
    /// Answers nothing, so that all requests stay under way.
    private func silence() -> TransportDouble {
        let transport = TransportDouble()
        transport.on({ _ in true }) { _, _ in .silence }
        return transport
    }

    @Test(
        "MG-77: six at once by scheme, host and port; who waits holds no slot, and keeps no other host waiting"
    )
    func six() async throws {
        let transport = silence()
        let urls = URLTaskManager(transport: transport, options: managerOptions { $0.maximumConcurrency = 8 })
        let one = try request("https://a.example.com/"), other = try request("https://a.example.com:444/")
        let handles = (0..<20).map { _ in urls.add(one) }
        let others = (0..<2).map { _ in urls.add(other) }
        await transport.waitForRequests(8)
        #expect(transport.requests.filter { $0.url?.port == nil }.count == 6)
        #expect(urls.tasks.counts.live == 8 && others.allSatisfy { $0.state == .executing(nil) })
        #expect(handles[6].state == .pending(.slot))
        #expect(handles[6].explain().description.contains("https:a.example.com:443"))
        handles[0].cancel()
        await transport.waitForRequests(9)
        #expect(handles[6].state == .executing(nil) && handles[7].state == .pending(.slot))
        handles[7].cancel()
        handles[1].cancel()
        await transport.waitForRequests(10)
        #expect(handles[8].state == .executing(nil))
        #expect(urls.tasks.cancelAll() == 19)
        #expect(urls.tasks.counts.unfinished == 0)
    }

    @Test("MG-77: other limits for some hosts, none for all, and the host counts as it was intercepted")
    func limits() async throws {
        let transport = silence()
        let urls = URLTaskManager(
            interceptors: [
                .adapting { $0.url = URL(string: "https://b.example.com:8443/") }
            ], transport: transport,
            options: managerOptions {
                $0.maximumPerHost = nil
                $0.hostLimits = ["b.example.com:8443": 2, "b.example.com": 5]
            })
        let one = try request("https://a.example.com/")
        let handles = (0..<10).map { _ in urls.add(one) }
        await transport.waitForRequests(2)
        await eventually { handles.allSatisfy { $0.state != .pending(.interception) } }
        #expect(handles.filter { $0.state == .executing(nil) }.count == 2)
        urls.tasks.cancelAll()
    }

    @Test("MG-77 MG-51: of those that wait for a host, higher priority goes first")
    func priority() async throws {
        let transport = silence()
        let urls = URLTaskManager(transport: transport, options: managerOptions { $0.maximumPerHost = 1 })
        let one = try request("https://a.example.com/")
        let first = urls.add(one)
        await transport.waitForRequests(1)
        let low = urls.add(one, options: .init(priority: .low)), high = urls.add(one)
        high.setPriority(.high)
        first.cancel()
        await transport.waitForRequests(2)
        #expect(high.state == .executing(nil) && low.state == .pending(.slot))
        low.setPriority(.critical)
        high.cancel()
        await transport.waitForRequests(3)
        #expect(low.state == .executing(nil))
        low.cancel()
    }
}
