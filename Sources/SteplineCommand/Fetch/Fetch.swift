import Foundation
import SteplinePipeline
import SteplineRequests
import SteplineSteps
import SteplineSupport
import SteplineWorkflow

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An execution of `stepline fetch`: a workflow with one task for each URL, whose body is a pipeline.
struct Fetch: Sendable {
    private let plan: FetchPlan
    private let live: LiveRun
    private let output: OrderedOutput

    init(_ arguments: Arguments, _ session: Session) throws {
        plan = try FetchPlan(arguments, session)
        let live = LiveRun(arguments, session) { _, error in error }
        try live.checkFiles(beside: plan.outputs + plan.inputs)
        self.live = live
        output = OrderedOutput { try live.write($0) }
    }

    func run() async throws -> ExitCode {
        let workflow = Workflow(
            "fetch",
            options: WorkflowOptions(
                onFailure: live.arguments.isOn(.failFast) ? .cancelOthers : .finishOthers,
                maximumConcurrency: plan.jobs, keptAttempts: live.keptAttempts, clock: live.session.clock))
        var names = FetchNames()
        var taken: [String: Int] = [:]
        var files: [URL?] = []
        for url in plan.urls {
            let file = file(for: url, &names)
            if let file { try NamedFile.check(outputs: [NamedFile("--out", file)], inputs: plan.inputs) }
            files.append(file)
        }
        for (number, url) in plan.urls.enumerated() {
            let file = files[number]
            let address = url.withoutSecrets
            taken[address, default: 0] += 1
            let count = taken[address] ?? 1
            let name = count > 1 ? "\(address) (\(count))" : address
            try workflow.add(name) { [weak workflow] in
                try await fetch(url, number, name, to: file)
                // Nothing reads the output any more: cancel the remaining tasks.
                if output.failure != nil { live.giveUp(workflow) }
            }
        }
        if plan.urls.isEmpty { return .success }
        let code = try await live.run(workflow)
        try output.finish()
        return code
    }

    private func fetch(_ url: URL, _ number: Int, _ name: String, to file: URL?) async throws {
        let pipeline = try pipeline(url, number, name, to: file)
        let telling = live.follow(pipeline, of: name)
        do {
            try await pipeline.run()
            await telling?.value
        } catch let error as CancellationError {
            throw error
        } catch {
            await telling?.value
            // A failure of the output is reported once, at the end.
            if output.failure != nil { return }
            try? await blocking { try output.put(Data(), at: number) }
            throw FetchFailure(url, error)
        }
    }

    private func pipeline(
        _ url: URL, _ number: Int, _ name: String, to file: URL?
    ) throws -> Pipeline<Content> {
        var request = URLRequest(url: url)
        request.httpMethod = plan.method
        let pipeline = Pipeline(name, options: PipelineOptions(clock: live.session.clock))
        // A cached response must pass through memory, and text on a terminal is written whole, above the status line.
        if plan.isRaw, plan.load.cache == nil, file != nil || !live.session.output.isTerminal {
            if let file {
                let step = URLDownloadStep(request, to: file, options: plan.download)
                try pipeline.addStep(step.named("download").retrying(plan.retry))
            } else {
                let step = BlockStep(from: .nothing, to: .nothing) {
                    [request] (_: Void, context) async throws in
                    try await stream(request, at: number, context)
                }
                try pipeline.addStep(step.named("load").retrying(plan.retry))
            }
            return pipeline
        }
        let load = URLLoadStep(request, options: plan.load)
        try pipeline.addStep(load.named("load").retrying(plan.retry))
        if !plan.isRaw { try pipeline.addStep(plan.parsing()) }
        if let file {
            try pipeline.addStep(FileSaveStep(file, options: plan.save).named("save"))
        } else {
            let write = BlockStep { [output] (data: Data) in try output.put(data, at: number) }
            try pipeline.addStep(write.named("write"))
        }
        return pipeline
    }

    /// Loads a body, and writes it as it comes.
    private func stream(_ request: URLRequest, at number: Int, _ context: StepContext) async throws {
        let body = ArrivingBody(output, number)
        let chunks = URLChunks(request, options: plan.download.load, clock: live.session.clock) { progress in
            if !progress.isUpload { context.report(completed: progress.completed, of: progress.total) }
        }
        do {
            for try await bytes in chunks { try await blocking { try body.add(bytes) } }
            try await blocking { try body.finish() }
        } catch {
            let isCancelled = error is CancellationError
            let isPartlyWritten = try await blocking { body.giveUp(isCancelled: isCancelled) }
            // No other attempt can mend the output. Its failure is reported once, at the end.
            if output.failure != nil { return }
            throw isPartlyWritten && !isCancelled ? PartlyWritten(cause: error) : error
        }
    }

    /// Returns the file for a URL's result; nil for standard output.
    private func file(for url: URL, _ names: inout FetchNames) -> URL? {
        switch plan.target {
        case .output: nil
        case .file(let file): file
        case .folder(let folder):
            folder.appending(path: names.name(for: url, ending: plan.isRaw ? nil : plan.output.fileExtension))
        }
    }
}

/// Runs a closure that may wait for a slow reader, which must not hold up Swift's own threads.
private func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
        DispatchQueue.global().async { done.resume(with: Result(catching: body)) }
    }
}
