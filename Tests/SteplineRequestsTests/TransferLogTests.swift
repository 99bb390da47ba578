import Dispatch
import Foundation
import SteplineSupport
import SteplineTesting
import Testing

@testable import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Log of transfers", .timeLimit(.minutes(5)))
struct TransferLogTests {
    @Test("row 8: a capped Retry-After is logged, and not on the transport's thread")
    func boundedWait() async throws {
        let transport = FakeTransport()
        let ends = Recorder<Bool>()
        let sinks = Recorder<Bool>()
        let mark = DispatchSpecificKey<Bool>()
        let thread = DispatchQueue(label: "transport")
        thread.setSpecific(key: mark, value: true)
        let isHere = Gate()
        let sink = StepLog.shared.addSink { record in
            guard record.message.contains("left alone") else { return }
            sinks.record(DispatchQueue.getSpecific(key: mark) ?? false)
        }
        defer { StepLog.shared.removeSink(sink) }
        let plan = try TransferPlan(
            URLRequest(url: try #require(URL(string: "http://example.com/"))), LoadOptions())
        let transfer = Transfer(
            plan, to: MemorySink(), over: transport, clock: ManualClock(), report: { _ in },
            complete: { _ in ends.record(true) })
        transfer.start()
        let exchange = await transport.exchange(1)
        thread.async {
            exchange.respond(503, ["Retry-After": "99999999999999999999"], "later")
            isHere.open()
        }
        await isHere.wait()
        await ends.waitForCount(1)
        await sinks.waitForCount(1)
        // Another test's transfer may log the same meanwhile, on its own transport's thread.
        #expect(!sinks.values.contains(true))
    }
}
