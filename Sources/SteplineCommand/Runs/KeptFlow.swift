import Foundation
import SteplineRuns
import SteplineWorkflow

/// A run of a workflow file that is kept in a store.
final class KeptFlow: Sendable {
    let id: RunID
    /// The parameters that the run was begun with, if it has begun before.
    let setBefore: [String]?
    private let store: any RunStore
    private let input: FlowRunInput
    private let file: String
    private let retriesFailures: Bool

    /// Opens the store; nil if none is asked for.
    ///
    /// Throws if the run was begun with other parameters.
    init?(_ plan: FlowPlan, _ arguments: Arguments, _ session: Session) throws {
        guard let file = arguments[.store] else {
            guard arguments[.runKey] == nil, !arguments.isOn(.retryingFailures) else {
                throw UsageError("--key and --retrying-failures want --store")
            }
            return nil
        }
        guard arguments.operands.first != FlowInput.standardInput else {
            throw UsageError("--store wants a workflow file that is there again, not standard input")
        }
        let place = try session.storePlace(file)
        self.file = place.shown
        store = try place.open()
        id = RunID(plan.file.name, key: arguments[.runKey] ?? Self.today())
        input = FlowRunInput(arguments, session)
        retriesFailures = arguments.isOn(.retryingFailures)
        setBefore = FlowRunInput(kept: try store.run(id)?.input)?.set
        guard let setBefore, !input.set.isEmpty, input.set.sorted() != setBefore.sorted() else { return }
        let before = setBefore.isEmpty ? "no --set" : setBefore.map { "--set \($0)" }.joined(separator: " ")
        throw UsageError(
            "\(id) was begun with \(before); leave out --set to go on with that, or take another --key")
    }

    /// The date of today, where the machine is.
    private static func today() -> String {
        Date().formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
    }

    /// Runs the workflow; returns when it has ended or the Swift task was cancelled.
    func run(_ workflow: Workflow, opened: @escaping @Sendable (OpenedRun) -> Void) async throws {
        _ = try await workflow.run(
            in: store, key: id.key, retryingFailures: retriesFailures, input: input.data(), opened: opened)
    }

    /// Whether an error says that nothing was run.
    static func isRefusal(_ error: any Error) -> Bool {
        (error as? RunStoreError)?.code == .inProgress
    }

    /// What to do next, in a line; nil if there is nothing to be done.
    var hint: String? {
        guard let run = try? store.run(id) else { return nil }
        switch run.state {
        case .interrupted, .incomplete:
            return "to go on, give the same command again: \(input.command(store: file, key: id.key))"
        case .failed:
            return "to run what failed again: \(input.command(store: file, key: id.key, isRetry: true))"
        case .cancelled:
            let command = input.command(store: file, key: id.key, isRetry: true)
            return "the run is cancelled; to run it all the same: \(command)"
        case .running, .finished: return nil
        }
    }

    // MARK: Files

    /// The versions of the tasks: another one than before where a file is gone that the task has written, so that it
    /// is run again, with all that follows it.
    func versions(of plan: FlowPlan) throws -> [String: Int] {
        guard try store.run(id) != nil else { return [:] }
        let names = Set(plan.file.tasks.filter(\.writesFiles).map(\.name))
        var versions: [String: Int] = [:]
        var gone: Set<String> = []
        try store.forEachStep(of: id) { step in
            // An element is named by its task: `page[3]`.
            let task = String(step.name.prefix { $0 != "[" && $0 != " " })
            guard names.contains(task) else { return }
            versions[task] = max(versions[task] ?? 1, step.version)
            guard step.state == .finished, step.resultSize != nil, !gone.contains(task) else { return }
            // A result that can't be read is made again anyway.
            guard let data = try? store.result(of: step.name, in: id),
                let files = try? JSONDecoder().decode(KeptFiles.self, from: data)
            else { return }
            if !files.files.allSatisfy(\.isThere) { gone.insert(task) }
        }
        for task in gone { versions[task, default: 1] += 1 }
        return versions
    }

    /// What of a kept ``FlowResult`` tells of files.
    private struct KeptFiles: Decodable {
        let files: [ProducedFile]
    }
}

extension FlowTask {
    fileprivate var writesFiles: Bool {
        flow != nil || steps.contains { if case .save = $0.verb { true } else { false } }
    }
}
