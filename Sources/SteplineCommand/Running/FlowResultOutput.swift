import Foundation
import SteplineJSON
import SteplineWorkflow

/// Writes the result of a run to standard output: as it is, or with `--json` in an object about the run.
struct FlowResultOutput {
    /// The number of attempts of each task that the object needs for its times.
    static let keptAttempts = 8

    private let arguments: Arguments
    private let session: Session
    private let live: LiveRun

    init(_ arguments: Arguments, _ session: Session, _ live: LiveRun) {
        self.arguments = arguments
        self.session = session
        self.live = live
    }

    /// Writes the result, or the reason why it is missing.
    ///
    /// - Parameters:
    ///   - result: The choice of the value.
    ///   - workflow: The workflow, which has ended.
    ///   - plan: The plan of the run.
    ///   - began: The time at which the run began.
    ///   - upToDate: The tasks that weren't run because their files are up to date.
    ///   - key: The key of a durable run.
    ///   - code: The exit status of the run.
    /// - Returns: The exit status: a failure if a value that was asked for is missing.
    func write(
        _ result: FlowRunResult, of workflow: Workflow, in plan: FlowPlan, began: Date, upToDate: [String],
        key: String?, _ code: ExitCode
    ) throws -> ExitCode {
        let isObject = arguments.isOn(.runObject)
        guard isObject || arguments[.print] != nil || !arguments.isOn(.quiet) else { return code }
        let value = Result { try result.value(in: workflow, of: plan) }
        if isObject {
            let object = FlowRunObject(
                of: workflow, in: plan, began: began, upToDate: upToDate, skips: live.skipReasons)
            try session.output.write(object.json(value, code, key: key).description + "\n")
        }
        let found: FlowValue?
        do { found = try value.get() } catch {
            if result.isAsked { return fail(error, code) }
            // Failures and summary say why the only last task has no value.
            if case .lasts = result { live.teller.note("no result: \(error)") }
            return code
        }
        do {
            guard !isObject else {
                _ = try found?.json()
                return code
            }
            let data = try found?.printed(onTerminal: session.output.isTerminal) ?? Data()
            try session.output.write(data)
            return code
        } catch let error where !(error is OutputError) {
            if result.isAsked { return fail(error, code) }
            live.teller.note("no result: \(error)")
            return code
        }
    }

    private func fail(_ error: any Error, _ code: ExitCode) -> ExitCode {
        live.teller.tell("no result: \(error)")
        return code == .success ? .failure : code
    }
}
