import Foundation
import SteplinePipeline
import SteplineRequests

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the steps that load over the network have in common: their settings, and a run of them.
struct NetworkLoad: Sendable {
    /// Nil if it comes with the bag.
    let request: URLRequest?
    let session: URLSession?
    let options: LoadOptions

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
        return problems
    }

    /// Loads the request into the bag's bytes.
    func run(_ given: URLRequest? = nil, in context: StepContext, _ bag: Content) {
        run(given, in: context, bag, to: { _ in MemorySink() }) { result, bag in
            bag.bodyData = result.value
            bag[.urlResponse] = result.response
        }
    }

    /// Loads the request into a sink, which may change it before it is sent; `store` puts the result into the bag.
    func run<Sink: TransferSink>(
        _ given: URLRequest? = nil, in context: StepContext, _ bag: Content, refusedLimit: Int? = nil,
        to makeSink: (inout TransferPlan) throws -> Sink,
        store: @escaping @Sendable (TransferResult<Sink.Value>, inout Content) -> Void
    ) {
        do {
            guard let request = given ?? request else { throw URLError(.badURL) }
            var plan = try TransferPlan(request, options, body: options.body.bytes(in: bag), session: session)
            let sink = try makeSink(&plan)
            let transfer = Transfer(
                plan, to: sink, over: URLSessionTransport.transport(for: session), clock: context.clock,
                refusedLimit: refusedLimit, report: context.reporter(isUpload: plan.hasBody)
            ) { end in
                context.finish(end, bag, store: store)
            }
            context.onCancel {
                transfer.cancel()
                context.finish(throwing: CancellationError())
            }
            transfer.start()
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
