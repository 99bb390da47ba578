package import SteplineSupport

/// A load with a typed result.
package final class Transfer<Sink: TransferSink>: Sendable {
    package typealias End = Result<TransferResult<Sink.Value>, any Error>

    private let core: TransferCore

    /// Creates a transfer that waits for its start.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - sink: The destination of the bytes.
    ///   - transport: The transport.
    ///   - clock: The clock of all time limits.
    ///   - endsOnTransport: Whether the transport's thread may call `complete` with a success. Neither the sink, nor the
    ///     jar, nor `complete` may then block.
    ///   - report: Called with each progress.
    ///   - complete: Called once with the end, unless the transfer is cancelled.
    package init(
        _ plan: TransferPlan, to sink: Sink, over transport: any Transport, clock: any StepClock,
        endsOnTransport: Bool = false, report: @escaping @Sendable (TransferProgress) -> Void,
        complete: @escaping @Sendable (End) -> Void
    ) {
        core = TransferCore(
            plan, to: sink, over: transport, clock: clock, endsOnTransport: endsOnTransport, report: report,
            finish: { response in
                let result = TransferResult(value: try sink.finish(), received: response)
                return { complete(.success(result)) }
            },
            fail: { complete(.failure($0)) })
    }

    /// Starts the transfer; a second call does nothing.
    package func start() { core.start() }

    /// Cancels the transfer: closes the connection, releases all memory, and stops all reports.
    ///
    /// The completion isn't called. While a worker stores the result, a cancel is in time until the worker claims the
    /// end. Saved cookies, and a file that was already moved into place, stay. A later cancel does nothing, and the
    /// completion is called.
    package func cancel() { core.cancel() }
}
