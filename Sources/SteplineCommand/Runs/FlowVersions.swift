import Foundation
import SteplineRuns

/// The versions of a workflow file's tasks: how often the files were gone that a task has written, so that it is run again
/// with all that follows it.
///
/// Only who is told to run the flow looks for files, once, when the run begins or goes on, and where that is: it is asked
/// whether the files are there, and its folder is where they are to be. Versions that have risen stand in the store before
/// anything is offered. A worker takes them from there and looks for no file: on its machine there may be none of those
/// that others have written, and if it went by that, each step would be run again by whoever comes next, and a run that
/// is taken over would begin anew. So it runs a step whatever its version is, and goes on with a run of an owner that is
/// gone by the versions that this has left.
enum FlowVersions {
    /// For who begins the run, or goes on with it: one more than kept where a file is gone.
    static func begun(of plan: FlowPlan, in store: any RunStore, _ id: RunID) throws -> [String: Int] {
        try of(plan, in: store, id) { !$0.isThere }
    }

    /// For a worker that goes on with a run whose owner is gone: as they are kept.
    static func kept(of plan: FlowPlan, in store: any RunStore, _ id: RunID) throws -> [String: Int] {
        try of(plan, in: store, id, isGone: nil)
    }

    private static func of(
        _ plan: FlowPlan, in store: any RunStore, _ id: RunID, isGone: ((ProducedFile) -> Bool)?
    ) throws -> [String: Int] {
        guard try store.run(id) != nil else { return [:] }
        let names = Set(plan.file.tasks.filter(\.writesFiles).map(\.name))
        var versions: [String: Int] = [:]
        var gone: Set<String> = []
        try store.forEachStep(of: id) { step in
            // An element is named by its task: `page[3]`.
            let task = String(step.name.unicodeScalars.prefix { $0 != "[" && $0 != " " })
            guard names.contains(task) else { return }
            versions[task] = max(versions[task] ?? 1, step.version)
            guard let isGone, step.state == .finished, step.resultSize != nil, !gone.contains(task) else {
                return
            }
            // A result that can't be read is made again anyway.
            guard let data = try? store.result(of: step.name, in: id),
                let files = try? JSONDecoder().decode(KeptFiles.self, from: data)
            else { return }
            if files.files.contains(where: isGone) { gone.insert(task) }
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
