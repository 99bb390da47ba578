public import Foundation
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The bytes of a load as they arrive, for parsers of chunks.
///
///     for try await item in XML.Stream(of: "item", from: URLChunks(url)) { print(item.text) }
///
/// Each iterator performs its own load, which begins with the first `next()`. Releasing the iterator, or cancelling the
/// waiting Swift task, stops the transfer. The sequence fails with a ``RequestError`` like an ordinary load: after a
/// failed status, beyond a limit, or if the body is shorter than announced.
///
/// Bytes that arrive faster than they are read wait. On Linux without your own session the peer waits, and about 2 MB
/// are held in memory. Otherwise all bytes wait in memory, up to the size limit of the options.
public struct URLChunks: AsyncSequence, Sendable {
    private let request: URLRequest
    private let session: URLSession?
    private let options: LoadOptions
    private let clock: any StepClock
    private let report: @Sendable (TransferProgress) -> Void

    /// Creates a sequence of the bytes at a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - options: The options of the load.
    ///   - clock: The clock of all time-outs.
    public init(_ url: URL, options: LoadOptions = .init(), clock: any StepClock = .system) {
        self.init(URLRequest(url: url), options: options, clock: clock)
    }

    /// Creates a sequence of the bytes of a response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Your own session; nil for the library's transport.
    ///   - options: The options of the load.
    ///   - clock: The clock of all time-outs.
    public init(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init(),
        clock: any StepClock = .system
    ) {
        self.init(request, session: session, options: options, clock: clock) { _ in }
    }

    /// Creates a sequence of the bytes of a response, whose progress is reported.
    package init(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions, clock: any StepClock,
        report: @escaping @Sendable (TransferProgress) -> Void
    ) {
        self.request = request
        self.session = session
        self.options = options
        self.clock = clock
        self.report = report
    }

    /// Makes an iterator, with a load of its own.
    ///
    /// Its `next()` throws a ``RequestError``, or `CancellationError` if the Swift task is cancelled.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Data, any Error> {
        Iterator(load: ChunkLoad(request, session, options, clock, report))
    }
}

/// Gives the chunks of one load.
private struct Iterator: AsyncIteratorProtocol {
    let load: ChunkLoad

    mutating func next() async throws -> Data? { try await load.next() }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? { try await load.next() }
}

/// A load that lives as long as its iterator.
private final class ChunkLoad: Sendable {
    private let request: URLRequest
    private let session: URLSession?
    private let options: LoadOptions
    private let clock: any StepClock
    private let report: @Sendable (TransferProgress) -> Void
    private let sink = ChunkSink()
    private let transfer = Locked<Transfer<ChunkSink>?>(nil)

    init(
        _ request: URLRequest, _ session: URLSession?, _ options: LoadOptions, _ clock: any StepClock,
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) {
        self.report = report
        self.request = request
        self.session = session
        var options = options
        // The bytes aren't kept, so the larger default limit applies.
        options.sizeLimit = options.sizeLimit ?? LoadOptions.mostElsewhere
        self.options = options
        self.clock = clock
    }

    // The iterator was released: nothing reads the rest.
    deinit { transfer.withLock { $0 }?.cancel() }

    func next() async throws -> Data? {
        try Task.checkCancellation()
        try begin()
        return try await withTaskCancellationHandler {
            try await sink.next()
        } onCancel: {
            transfer.withLock { $0 }?.cancel()
            // A cancelled transfer reports no end, so end the sequence here.
            sink.end(.failure(CancellationError()))
        }
    }

    private func begin() throws {
        guard transfer.withLock({ $0 == nil }) else { return }
        try options.refuseReuse(of: request, by: "a load in chunks")
        let plan = try TransferPlan(request, options, session: session)
        let begun = Transfer(
            plan, to: sink, over: NetworkTransport.transport(for: session, options), clock: clock,
            report: report
        ) { [sink] end in
            sink.end(end.map { _ in }.mapError { ($0 as? RefusedStatus)?.error ?? $0 })
        }
        // Stored before the start: a cancellation must find the transfer.
        transfer.withLock { $0 = begun }
        begun.start()
    }
}
