import Foundation
package import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The creation of an attempt's transfer, which decides how the body is received.
package struct URLTaskLoading: Sendable {
    /// Starts an attempt, which reports its end once; cancelling the subscription stops it without a report.
    package typealias Begin =
        @Sendable (
            _ plan: inout TransferPlan, _ transport: any Transport, _ clock: any StepClock,
            _ report: @escaping @Sendable (TransferProgress) -> Void,
            _ complete: @escaping @Sendable (Result<URLReply, any Error>) -> Void
        ) throws -> Subscription

    let begin: Begin

    package init(_ begin: @escaping Begin) {
        self.begin = begin
    }

    /// Receives the body in memory.
    static let memory = URLTaskLoading { plan, transport, clock, report, complete in
        start(plan, MemorySink(), transport, clock, report, complete) {
            URLReply(data: $0.value, response: $0.response)
        }
    }

    /// Starts a transfer into a sink.
    package static func start<Sink: TransferSink>(
        _ plan: TransferPlan, _ sink: Sink, _ transport: any Transport, _ clock: any StepClock,
        _ report: @escaping @Sendable (TransferProgress) -> Void,
        _ complete: @escaping @Sendable (Result<URLReply, any Error>) -> Void,
        reply: @escaping @Sendable (TransferResult<Sink.Value>) -> URLReply
    ) -> Subscription {
        let transfer = Transfer(plan, to: sink, over: transport, clock: clock, report: report) { end in
            complete(end.map(reply))
        }
        transfer.start()
        return Subscription { transfer.cancel() }
    }
}
