import Foundation
import SteplinePipeline
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The shared settings and execution of the network steps.
struct NetworkLoad: Sendable {
    /// The request; nil if it is in the content.
    let request: URLRequest?
    let session: URLSession?
    /// The manager that handles the request; nil without one.
    var manager: URLTaskManager?
    let options: LoadOptions

    init(
        request: URLRequest?, session: URLSession? = nil, manager: URLTaskManager? = nil, options: LoadOptions
    ) {
        self.request = request
        self.session = session
        self.manager = manager
        self.options = options
    }

    /// The content entries written in addition to the body.
    var outputs: [AnyContentKey] {
        let tellsSource = options.revalidation != nil || options.cache != nil
        return [ContentKey.urlResponse.erased] + (tellsSource ? [ContentKey.loadSource.erased] : [])
    }

    /// The errors in the settings.
    var problems: [String] {
        var problems: [String] = []
        if let request {
            if let url = request.url {
                if let problem = options.problem(with: url) { problems.append(problem.text) }
            } else {
                problems.append("the request has no URL")
            }
        }
        if session?.configuration.identifier != nil {
            problems.append("a background session can't be used")
        }
        if session != nil, !options.tls.isDefault {
            problems.append("options for TLS can't be used over a session of one's own")
        }
        if manager != nil, options.revalidation != nil || options.cache != nil || options.sharesEqualLoads {
            problems.append("a load through a manager is neither revalidated, cached nor shared")
        }
        if options.cache != nil, options.revalidation != nil {
            problems.append("a load has a cache or a store for revalidation, not both")
        }
        return problems
    }

    /// Whether beginning a load neither calls user code nor reads a file.
    var startsOnly: Bool {
        guard session == nil, manager == nil, options.transport == nil, options.cache == nil,
            options.revalidation == nil, options.cookies.storage?.hasFile != true
        else { return false }
        switch options.body.kind {
        case .none, .data, .entry: return true
        case .encoded, .file: return false
        }
    }

    /// Loads the request into the content's bytes.
    func run(_ given: URLRequest? = nil, in context: StepContext, _ bag: Content) {
        if let manager { return run(given, through: manager, in: context, bag) }
        begin(given, in: context, bag) { plan, transport in
            let revalidation = Revalidation(&plan, clock: context.clock)
            let cached = CachedLoad(&plan, clock: context.clock)
            let invalidation = CacheInvalidation(plan)
            if let fresh = cached?.fresh {
                return context.finish(.success(fresh.result(at: context.clock.now)), bag) { result, bag in
                    bag.take(result, from: .cache)
                }
            }
            let report = context.reporter(isUpload: plan.hasBody)
            // A load that starts without blocking also ends without: its transport's thread ends the attempt, unless a
            // log has to be called.
            let endsOnTransport =
                startsOnly && plan.options.cookies.storage?.hasFile != true && invalidation == nil
                && !context.isLogged
            let complete: SharedLoads.Completion = { [cookies = plan.options.cookies] end in
                let (end, source) = cached?.end(end) ?? (end, nil)
                invalidation?.end(end)
                context.finish(end, bag, onTransport: endsOnTransport) { result, bag in
                    bag.keep(cookies)
                    if let revalidation {
                        revalidation.store(result, in: &bag)
                    } else {
                        bag.take(result, from: source)
                    }
                }
            }
            if let key = SharedLoadKey(plan, over: transport, clock: context.clock) {
                SharedLoads.shared.join(
                    key, plan, over: transport, clock: context.clock, report: report, complete: complete
                ) { load in context.stopping { load.cancel() } }
            } else {
                let transfer = Transfer(
                    plan, to: MemorySink(), over: transport, clock: context.clock,
                    endsOnTransport: endsOnTransport, report: report, complete: complete)
                context.stopping {
                    transfer.cancel()
                    invalidation?.forget(nil)
                }
                transfer.start()
            }
        }
    }

    /// Loads the request into a file; `prepare` may change the plan before it is sent.
    func download(
        in context: StepContext, _ bag: Content,
        prepare: (inout TransferPlan) throws -> (DownloadSink, Revalidation?),
        store: @escaping @Sendable (TransferResult<DownloadSink.Value>, inout Content) -> Void
    ) {
        begin(nil, in: context, bag) { plan, transport in
            let (sink, revalidation) = try prepare(&plan)
            let transfer = Transfer(
                plan, to: sink, over: transport, clock: context.clock,
                report: context.reporter(isUpload: plan.hasBody)
            ) { [cookies = plan.options.cookies] end in
                context.finish(end, bag) { result, bag in
                    bag.keep(cookies)
                    store(result, &bag)
                    revalidation?.store(result.received, fileMark: result.value.mark, in: &bag)
                }
            }
            context.stopping { transfer.cancel() }
            transfer.start()
        }
    }

    /// Creates the plan; errors end the attempt.
    private func begin(
        _ given: URLRequest?, in context: StepContext, _ bag: Content,
        _ start: (inout TransferPlan, any Transport) throws -> Void
    ) {
        do {
            guard let request = given ?? request else { throw URLError(.badURL) }
            var options = options
            options.cookies = bag.jar(for: options.cookies)
            options.body = try options.body.taken(from: bag)
            var plan = try TransferPlan(request, options, session: session)
            try start(&plan, NetworkTransport.transport(for: session, options))
        } catch {
            context.finish(throwing: error)
        }
    }
}

extension Content {
    /// Stores the result of a load, and its source if requested.
    fileprivate mutating func take(_ result: TransferResult<Data>, from source: LoadSource?) {
        bodyData = result.value
        keep(result.received)
        if let source { self[.loadSource] = source }
    }
}

extension Content {
    /// Stores a response, whose `URLResponse` is created when the entry is read.
    mutating func keep(_ response: TransferResponse) {
        setDeferred(.urlResponse) { response.object }
    }
}

extension StepContext {
    /// Returns a closure that reports a transfer's progress: of the upload if there is a body, otherwise of the
    /// download.
    fileprivate func reporter(isUpload: Bool) -> @Sendable (TransferProgress) -> Void {
        { progress in
            if progress.isUpload == isUpload { report(completed: progress.completed, of: progress.total) }
        }
    }

    /// Stops the load when the attempt is cancelled, which then ends at once.
    fileprivate func stopping(_ stop: @escaping @Sendable () -> Void) {
        onCancel {
            stop()
            finish(throwing: CancellationError())
        }
    }

    fileprivate func finish<Value>(
        _ end: Result<TransferResult<Value>, any Error>, _ bag: Content, onTransport: Bool = false,
        store: @Sendable (TransferResult<Value>, inout Content) -> Void
    ) {
        var bag = bag
        switch end {
        case .success(let result):
            store(result, &bag)
            finish(with: bag, onTransport: onTransport)
        case .failure(let refused as RefusedStatus):
            bag.bodyData = refused.body
            bag[.urlResponse] = refused.error.response
            finish(throwing: refused.error, leaving: bag)
        case .failure(let error):
            finish(throwing: error)
        }
    }
}
