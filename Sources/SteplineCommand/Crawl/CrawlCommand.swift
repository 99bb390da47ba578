import Foundation
import SteplineSteps
import SteplineSupport
import SteplineWorkflow

/// An execution of `stepline crawl`: a workflow with one growing map, whose elements are the loads.
struct CrawlCommand: Sendable {
    /// The name of the workflow.
    static let workflow = "crawl"
    /// The name of the map.
    static let map = "page"

    private let plan: CrawlPlan
    private let kept: KeptCrawl?
    private let live: LiveRun
    private let output: CrawlOutput
    private let gate: CrawlGate

    init(_ arguments: Arguments, _ session: Session) throws {
        plan = try CrawlPlan(arguments, session)
        live = LiveRun(arguments, session, alwaysSummarizes: true) { _, error in error }
        let inputs = Self.inputs(arguments, session)
        let outputs = plan.file.map { [NamedFile("--to", $0)] } ?? []
        try NamedFile.check(outputs: outputs, inputs: inputs + session.storeFiles(arguments[.store]))
        try live.checkFiles(beside: outputs + inputs)
        kept = try KeptCrawl(plan, arguments, session)
        output = CrawlOutput(plan, live)
        gate = CrawlGate(clock: session.clock)
        try output.check(kept)
    }

    func run() async throws -> ExitCode {
        let workflow = Workflow(
            Self.workflow,
            options: WorkflowOptions(keptAttempts: live.keptAttempts, clock: live.session.clock))
        let pages = try pages(in: workflow)
        let rows = CrawlRows(pages, output) { live.giveUp() }
        let list = pages.task as? SubworkflowTask
        let shown = list.map { list in
            LiveRun.ShownMap(
                elements: list.subworkflow, opened: { rows.begin() }, observe: { gate.note($0) },
                stop: { gate.close($0) })
        }
        let code: ExitCode
        do {
            code = try await live.run(workflow, in: kept, showing: shown)
        } catch {
            rows.cancel()
            throw error
        }
        if list?.hasRefusedElements == true {
            live.teller.note(
                "--at-most: the crawl has found more than \(plan.crawl.atMost) loads, and ignores the others; "
                    + "a higher number adds them")
        }
        // After an error of the store the map may be left running, and its rows would not end.
        if code != .success { workflow.cancel("ended") }
        try await rows.finish()
        return code
    }

    /// The files that the crawl reads.
    private static func inputs(_ arguments: Arguments, _ session: Session) -> [NamedFile] {
        let headers = arguments.all(.header).filter { $0.hasPrefix("@") && $0 != "@-" }.map {
            NamedFile("--header", session.place(String($0.dropFirst())))
        }
        return headers + arguments.all(.caCert).map { NamedFile("--cacert", session.place($0)) }
    }

    private func pages(in workflow: Workflow) throws -> TaskRef<[CrawlRow]> {
        let loader = CrawlLoader(plan.crawl, clock: live.session.clock)
        return try workflow.grow(
            Self.map, from: plan.crawl.firstVisits, key: \.key, limit: plan.crawl.limit,
            atMost: plan.crawl.atMost, options: TaskOptions(retry: plan.retry)
        ) { [plan, gate] visit, more in
            try await gate.enter("\(Self.map)[\(visit.key)]")
            do {
                let result = try await loader.load(visit)
                let row = try result.page.map { try plan.row(of: $0) }
                more.add(result.found)
                return row ?? CrawlRow(url: visit.url, values: nil)
            } catch let error as CancellationError {
                throw error
            } catch let error as CrawlError {
                // Names its URL, which may be that of robots.txt.
                throw error
            } catch {
                guard let url = URL(string: visit.url) else { throw error }
                throw FetchFailure(url, error)
            }
        }
    }
}

/// The writing of a crawl's rows, in the order in which the pages are committed.
private final class CrawlRows: Sendable {
    private struct State {
        var writing: Task<Void, Never>?
        var failure: (any Error)?
    }

    private let pages: TaskRef<[CrawlRow]>
    private let output: CrawlOutput
    private let failed: @Sendable () -> Void
    private let state = Locked(State())

    init(
        _ pages: TaskRef<[CrawlRow]>, _ output: CrawlOutput, failed: @escaping @Sendable () -> Void
    ) {
        self.pages = pages
        self.output = output
        self.failed = failed
    }

    /// Begins to write; call when this process owns the run.
    func begin() {
        let writing = Task { [self] in
            do {
                try output.begin()
                var isEmpty = true
                for await row in pages.asTheyFinish {
                    isEmpty = false
                    try output.write(row)
                }
                // A start has a row. If a run has finished before, a damaged result hides the whole list.
                if isEmpty, pages.task.state == .finished { _ = try pages.readValue() }
            } catch {
                state.withLock { $0.failure = error }
                // Nothing writes the rows any more. Those that the store has are written by the next process.
                failed()
            }
        }
        state.withLock { $0.writing = writing }
    }

    /// Stops: the run has failed to begin.
    func cancel() { state.withLock { $0.writing }?.cancel() }

    /// Waits for the last row; throws the error of the output.
    func finish() async throws {
        await state.withLock { $0.writing }?.value
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
