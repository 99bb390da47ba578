import Foundation
import SteplineRuns
import SteplineSupport

/// The skipped tasks of stored runs, which a store has as finished.
///
/// Reads the short results of the tasks that the workflow file can skip, or, if the file is gone, of all tasks.
struct StoredSkips: Sendable {
    /// The result of a skipped task holds the reason and no value, and is rarely longer.
    private static let longest = 4096

    private let store: any RunStore
    private let session: Session
    /// The files of runs, read once for a command.
    private let files = Locked<[RunID: File]>([:])

    private struct File {
        /// The tasks that the file can skip; nil for an unreadable file.
        let skippable: Set<String>?
    }

    /// - Parameter known: The tasks that can be skipped, by run, where the file was read already.
    init(in store: any RunStore, _ session: Session, known: [RunID: Set<String>] = [:]) {
        self.store = store
        self.session = session
        files.withLock { $0 = known.mapValues(File.init) }
    }

    /// Returns the reasons for the skipped tasks of a run, by name; empty for the run of a program.
    func reasons(in run: RunRecord) -> [String: String] {
        guard FlowRunInput(kept: run.input) != nil else { return [:] }
        var reasons: [String: String] = [:]
        for name in names(in: run) { reasons[name] = reason(of: name, in: run.id) }
        return reasons
    }

    private func names(in run: RunRecord) -> [String] {
        if let known = skippable(in: run) { return known.sorted() }
        var names: [String] = []
        try? store.forEachStep(of: run.id) { step in
            guard step.state == .finished, let size = step.resultSize, size <= Self.longest else { return }
            names.append(step.name)
        }
        return names
    }

    private func skippable(in run: RunRecord) -> Set<String>? {
        if let known = files.withLock({ $0[run.id] }) { return known.skippable }
        let file = File(skippable: FlowPlan(of: run, session)?.skippable)
        files.withLock { $0[run.id] = file }
        return file.skippable
    }

    private func reason(of step: String, in run: RunID) -> String? {
        guard let record = try? store.step(step, of: run), record.state == .finished,
            record.resultSize ?? 0 <= Self.longest, let data = try? store.result(of: step, in: run)
        else { return nil }
        return (try? JSONDecoder().decode(KeptSkip.self, from: data))?.skipped
    }

    /// The part of a stored ``FlowResult`` about skips.
    private struct KeptSkip: Decodable {
        let skipped: String?
    }
}

extension FlowPlan {
    /// Creates the plan of a stored run's file; nil if the file is missing or has errors.
    init?(of run: RunRecord, _ session: Session) {
        guard let input = FlowRunInput(kept: run.input),
            let plan = try? FlowInput(input.arguments, session, set: input.set).plan
        else { return nil }
        self = plan
        isKept = true
    }
}
