public import Foundation
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The bytes of a load as they arrive, for parsers that take them in chunks.
///
///     for try await item in XML.Stream(of: "item", from: URLChunks(url)) { print(item.text) }
///
/// Each iterator makes a load of its own, which its first `next()` begins; dropping the iterator, or cancelling
/// the Swift task that waits, stops the transfer. It ends with a ``RequestError`` as a load at once would: after
/// a refused status, past a limit, or when less has come than was announced. What arrives faster than it is
/// taken waits: on Linux, and without a session of one's own, the peer does, and some 2 MB at most are held in
/// memory; else all of it in memory, up to the options' size limit.
public struct URLChunks: AsyncSequence, Sendable {
    private let request: URLRequest
    private let session: URLSession?
    private let options: LoadOptions
    private let clock: any StepClock

    /// The bytes that a URL names.
    public init(_ url: URL, options: LoadOptions = .init(), clock: any StepClock = .system) {
        self.init(URLRequest(url: url), options: options, clock: clock)
    }

    /// The bytes that a request brings; over a session of one's own if one is given.
    ///
    /// Time-outs go by the clock.
    public init(
        _ request: URLRequest, session: URLSession? = nil, options: LoadOptions = .init(),
        clock: any StepClock = .system
    ) {
        self.request = request
        self.session = session
        self.options = options
        self.clock = clock
    }

    /// Makes an iterator, with a load of its own.
    ///
    /// Its `next()` throws a ``RequestError``, or `CancellationError` if the Swift task is cancelled.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Data, any Error> {
        Iterator(load: ChunkLoad(request, session, options, clock))
    }
}

/// Gives the chunks of one load.
private struct Iterator: AsyncIteratorProtocol {
    let load: ChunkLoad

    mutating func next() async throws -> Data? { try await load.next() }

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? { try await load.next() }
}

/// One load, alive for as long as its iterator.
private final class ChunkLoad: Sendable {
    private let request: URLRequest
    private let session: URLSession?
    private let options: LoadOptions
    private let clock: any StepClock
    private let sink = ChunkSink()
    private let transfer = Locked<Transfer<ChunkSink>?>(nil)

    init(_ request: URLRequest, _ session: URLSession?, _ options: LoadOptions, _ clock: any StepClock) {
        self.request = request
        self.session = session
        var options = options
        options.sizeLimit = options.sizeLimit ?? LoadOptions.mostElsewhere
        self.options = options
        self.clock = clock
    }

    deinit { transfer.withLock { $0 }?.cancel() }

    func next() async throws -> Data? {
        try Task.checkCancellation()
        try begin()
        return try await withTaskCancellationHandler {
            try await sink.next()
        } onCancel: {
            transfer.withLock { $0 }?.cancel()
            sink.end(.failure(CancellationError()))
        }
    }

    private func begin() throws {
        guard transfer.withLock({ $0 == nil }) else { return }
        let plan = try TransferPlan(request, options, session: session)
        let begun = Transfer(
            plan, to: sink, over: NetworkTransport.transport(for: session), clock: clock,
            report: { _ in }
        ) { [sink] end in
            sink.end(end.map { _ in }.mapError { ($0 as? RefusedStatus)?.error ?? $0 })
        }
        transfer.withLock { $0 = begun }
        begun.start()
    }
}
