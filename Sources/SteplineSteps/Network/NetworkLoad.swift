import Foundation
import SteplinePipeline
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the steps that load over the network have in common: their settings, and a run of them.
struct NetworkLoad: Sendable {
    /// Nil if it comes with the bag.
    let request: URLRequest?
    let session: URLSession?
    /// The door that the load passes; nil if it goes by itself.
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

    /// The entries that are written beside what is loaded.
    var outputs: [AnyContentKey] {
        let source = options.revalidation.map { _ in ContentKey.loadSource.erased }
        return [ContentKey.urlResponse.erased] + [source].compactMap { $0 }
    }

    /// What is known to be wrong with the settings.
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
        if manager != nil, options.revalidation != nil || options.sharesEqualLoads {
            problems.append("a load through a manager is neither revalidated nor shared")
        }
        return problems
    }

    /// Loads the request into the bag's bytes.
    func run(_ given: URLRequest? = nil, in context: StepContext, _ bag: Content) {
        if let manager { return run(given, through: manager, in: context, bag) }
        begin(given, in: context, bag) { plan, transport in
            let revalidation = Revalidation(&plan)
            let report = context.reporter(isUpload: plan.hasBody)
            let complete: SharedLoads.Completion = { end in
                context.finish(end, bag) { result, bag in
                    if let revalidation {
                        revalidation.store(result, in: &bag)
                    } else {
                        bag.bodyData = result.value
                        bag[.urlResponse] = result.response
                    }
                }
            }
            if let key = SharedLoadKey(plan, over: transport, clock: context.clock) {
                let load = SharedLoads.shared.join(
                    key, plan, over: transport, clock: context.clock, report: report, complete: complete)
                context.stopping { load.end() }
            } else {
                let transfer = Transfer(
                    plan, to: MemorySink(), over: transport, clock: context.clock, report: report,
                    complete: complete)
                context.stopping { transfer.cancel() }
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
                plan, to: sink, over: transport, clock: context.clock, refusedLimit: 1 << 20,
                report: context.reporter(isUpload: plan.hasBody)
            ) { end in
                context.finish(end, bag) { result, bag in
                    store(result, &bag)
                    revalidation?.store(result.response, fileMark: result.value.mark, in: &bag)
                }
            }
            context.stopping { transfer.cancel() }
            transfer.start()
        }
    }

    /// Makes the plan; whatever is thrown ends the attempt.
    private func begin(
        _ given: URLRequest?, in context: StepContext, _ bag: Content,
        _ start: (inout TransferPlan, any Transport) throws -> Void
    ) {
        do {
            guard let request = given ?? request else { throw URLError(.badURL) }
            var plan = try TransferPlan(request, options, body: options.body.bytes(in: bag), session: session)
            try start(&plan, NetworkTransport.transport(for: session))
        } catch {
            context.finish(throwing: error)
        }
    }
}

extension StepContext {
    /// What passes a transfer's progress on: of the body that is sent if there is one, else of what comes.
    fileprivate func reporter(isUpload: Bool) -> @Sendable (TransferProgress) -> Void {
        { progress in
            if progress.isUpload == isUpload { report(completed: progress.completed, of: progress.total) }
        }
    }

    /// Stops the load when the attempt is told to stop, which has then ended at once.
    fileprivate func stopping(_ stop: @escaping @Sendable () -> Void) {
        onCancel {
            stop()
            finish(throwing: CancellationError())
        }
    }

    fileprivate func finish<Value>(
        _ end: Result<TransferResult<Value>, any Error>, _ bag: Content,
        store: @Sendable (TransferResult<Value>, inout Content) -> Void
    ) {
        var bag = bag
        switch end {
        case .success(let result):
            store(result, &bag)
            finish(with: bag)
        case .failure(let refused as RefusedStatus):
            bag.bodyData = refused.body
            bag[.urlResponse] = refused.error.response
            finish(throwing: refused.error, leaving: bag)
        case .failure(let error):
            finish(throwing: error)
        }
    }
}
