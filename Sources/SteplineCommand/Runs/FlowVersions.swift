import Foundation
import SteplineRuns

/// The versions of a workflow file's tasks: what a task says, and how often the files were gone that it has written.
///
/// A version is a digest of the task's meaning above sixteen bits, in which the count stands: a task that is edited has
/// another version, and is run again with all that follows it, and so is one whose files are gone. Versions below 2^16 were
/// kept by programs that only counted; they stand.
///
/// Only the process that is told to run the flow looks for files, once, when the run begins or is resumed: its folder is
/// where the files are to be. Versions that have risen stand in the store before anything is offered. A worker takes them
/// from there and looks for no file: on its machine there may be none of those that others have written. It runs a step
/// whatever its version is, and resumes a run whose owner is gone by the versions that the owner has left.
enum FlowVersions {
    private static let countBits = 16

    /// For the process that begins or resumes the run: one more than kept where a file is gone.
    static func begun(of plan: FlowPlan, in store: any RunStore, _ id: RunID) throws -> [String: Int] {
        let kept = try Kept(of: plan, in: store, id) { !$0.isThere }
        return versions(of: plan) { task, first in
            let all = kept.versions[task] ?? []
            let own = all.filter { $0 >> countBits == first >> countBits }
            let isCounted = own.isEmpty && all.allSatisfy { $0 >> countBits == 0 }
            guard let latest = (isCounted ? all : own).max() else { return first }
            return latest + (kept.gone.contains(task) ? 1 : 0)
        }
    }

    /// For a worker that resumes a run whose owner is gone: as they are kept.
    static func kept(of plan: FlowPlan, in store: any RunStore, _ id: RunID) throws -> [String: Int] {
        let kept = try Kept(of: plan, in: store, id, isGone: nil)
        return versions(of: plan) { task, first in
            let all = kept.versions[task] ?? []
            let own = all.filter { $0 >> countBits == first >> countBits }
            return kept.ofTasks[task] ?? own.max() ?? all.max() ?? first
        }
    }

    private static func versions(
        of plan: FlowPlan, _ version: (_ task: String, _ first: Int) -> Int
    ) -> [String: Int] {
        var versions: [String: Int] = [:]
        for task in plan.file.tasks {
            let digest = Int(truncatingIfNeeded: plan.meaning(of: task) & 0x3FFF_FFFF) + 1
            versions[task.name] = version(task.name, digest << countBits | 1)
        }
        return versions
    }

    /// The tasks as the store has them.
    private struct Kept {
        /// Those of each task and its elements.
        var versions: [String: [Int]] = [:]
        /// Those of steps that are tasks themselves.
        var ofTasks: [String: Int] = [:]
        /// The tasks whose files are gone.
        var gone: Set<String> = []

        init(
            of plan: FlowPlan, in store: any RunStore, _ id: RunID, isGone: ((ProducedFile) -> Bool)?
        ) throws {
            guard try store.run(id) != nil else { return }
            let names = Set(plan.file.tasks.map(\.name))
            let writing = Set(plan.file.tasks.filter(\.writesFiles).map(\.name))
            try store.forEachStep(of: id) { step in
                guard step.attempt > 0, let task = task(of: step.name, in: names) else { return }
                if task == step.name { ofTasks[task] = step.version }
                versions[task, default: []].append(step.version)
                guard let isGone, step.state == .finished, step.resultSize != nil, writing.contains(task),
                    !gone.contains(task)
                else { return }
                // A result that can't be read is made again anyway.
                guard let data = try? store.result(of: step.name, in: id),
                    let files = try? JSONDecoder().decode(KeptFiles.self, from: data)
                else { return }
                if files.files.contains(where: isGone) { gone.insert(task) }
            }
        }

        /// The task that a step is of: itself, its list, or an element such as `page[3]`.
        private func task(of step: String, in names: Set<String>) -> String? {
            if names.contains(step) { return step }
            let task = String(step.unicodeScalars.prefix { $0 != "[" && $0 != " " })
            return names.contains(task) ? task : nil
        }
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
