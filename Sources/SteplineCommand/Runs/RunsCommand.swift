import Foundation
import SteplineJSON
import SteplineReports
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// The implementation of `stepline runs`, for runs of workflow files and of other programs.
struct RunsCommand {
    let arguments: Arguments
    let session: Session
    let runs: StoredRuns
    private let guide: RunsGuide
    private let skips: StoredSkips

    /// Opens the store; prepares it first on request.
    init(_ arguments: Arguments, _ session: Session, preparing: Bool = false) throws {
        self.arguments = arguments
        self.session = session
        let place = try session.storePlace(arguments)
        if preparing { try place.prepare() }
        guide = Self.guide(place.shown)
        let store = try place.openExisting()
        let skips = StoredSkips(in: store, session)
        runs = StoredRuns(
            store, of: arguments[.runsOf], isJSON: arguments.isOn(.asJSON), guide: guide
        ) { skips.reasons(in: $0) }
        self.skips = skips
    }

    func answer(_ verb: RunsVerb, _ operands: [String]) throws -> RunsAnswer {
        let key = operands.first ?? ""
        switch verb {
        case .list: return try runs.list(in: arguments[.runState], olderThan: arguments[.olderThan])
        case .show:
            try checkReport()
            try writeReport(of: key)
            return try runs.show(key, step: operands.dropFirst().first)
        case .prepare: return runs.prepared
        case .log: return try runs.log(key)
        case .result: return try runs.result(key, of: operands[1])
        case .pause: return try runs.pause(key)
        case .resume: return try runs.resume(key) ?? RunsAnswer(guide.resume(runs.run(key)) + "\n")
        case .retry: return try runs.resume(key) ?? RunsAnswer(guide.retry(runs.run(key)) + "\n")
        case .cancel:
            return try runs.cancel(key, reason: arguments[.reason] ?? "requested by runs cancel")
        case .signal:
            if arguments.isOn(.withdraw) {
                guard operands.count == 2 else { throw UsageError("--withdraw takes no value") }
                return try runs.withdraw(key, condition: operands[1])
            }
            let value = operands.count > 2 ? try bytes(operands[2]) : nil
            // The conditions of another program's run can't be checked here.
            if let shape = try shape(of: runs.run(key)) {
                try StoredRuns.check(value, for: operands[1], in: shape)
            }
            return try runs.signal(key, condition: operands[1], value: value)
        case .fork: return try fork(key)
        case .forget:
            guard let age = arguments[.olderThan] else {
                guard !operands.isEmpty else { throw UsageError("KEY or --older-than is missing") }
                return try runs.forget(key)
            }
            guard operands.isEmpty else { throw UsageError("forget takes a key or --older-than, not both") }
            return try runs.forget(olderThan: age)
        }
    }

    private func fork(_ key: String) throws -> RunsAnswer {
        guard let step = arguments[.forkFrom], let other = arguments[.forkTo] else {
            throw UsageError("fork requires --from STEP and --to KEY")
        }
        let run = try runs.run(key)
        guard let shape = shape(of: run) else {
            throw RunsError(
                "\(run.id) can't be forked: its workflow file is missing or has mistakes. For a run of a "
                    + "program, use the program's own runs fork")
        }
        return try runs.fork(run.id.description, from: step, to: other, shape: shape)
    }

    /// The requested report file.
    private var report: OutputFile? {
        arguments[.report].map {
            OutputFile(session.place($0), .html, option: "--report", mayOverwrite: arguments.isOn(.force))
        }
    }

    /// Throws if the report can't be written or would overwrite another file.
    func checkReport() throws {
        guard let report else { return }
        let store = session.storeFiles(arguments[.store] ?? session.environment["STEPLINE_STORE"])
        try NamedFile.check(outputs: [report.named], inputs: store)
        try report.check()
    }

    /// Writes the requested report.
    func writeReport(of key: String) throws {
        guard let file = report else { return }
        let run = try runs.run(key)
        var graph = try runs.graph(key, shape: shape(of: run))
        graph.note(skips.reasons(in: run).mapValues { "skipped: \($0)" })
        // The followed run may have created a file there.
        try checkReport()
        try file.write(file.format.draw(graph))
    }

    /// Returns the workflow of a run's file; nil if the file is missing or has errors.
    func shape(of run: RunRecord) -> Workflow? { try? plan(of: run)?.workflow() }

    /// Returns the plan of a run's file; nil if the file is missing or has errors.
    func plan(of run: RunRecord) -> FlowPlan? { FlowPlan(of: run, session) }

    /// Encodes a value of a condition: text as it is, otherwise JSON.
    private func bytes(_ word: String) throws -> Data {
        if arguments.isOn(.asText) { return Data(word.utf8) }
        do {
            return try JSON(parsing: word).data()
        } catch {
            throw UsageError("'\(word)' isn't JSON; to send it as a text, add --text")
        }
    }

    private static func guide(_ file: String) -> RunsGuide {
        @Sendable func command(_ run: RunRecord, isRetry: Bool) -> String {
            if let input = FlowRunInput(kept: run.input) {
                return input.command(store: file, key: run.id.key, isRetry: isRetry)
            }
            if let input = CrawlInput(kept: run.input) {
                return input.command(store: file, key: run.id.key, isRetry: isRetry)
            }
            // The run belongs to another program, whose path is unknown.
            let retry = isRetry ? " --retrying-failures" : ""
            return "\(RunsText.quoted(run.id.workflow)) run --store \(RunsText.quoted(file)) "
                + "--key \(RunsText.quoted(run.id.key))\(retry)"
        }
        return RunsGuide {
            command($0, isRetry: false)
        } retry: {
            command($0, isRetry: true)
        } cancel: {
            "stepline runs cancel \(RunsText.quoted($0.id.description)) --store \(RunsText.quoted(file))"
        }
    }
}
