import Foundation
import SteplineRuns

/// The versions of a workflow file's tasks: a digest of the task, and the number of times that its files were missing.
///
/// A version has the digest in its upper bits and the counter in the lowest 16 bits; see ``FlowTaskMeaning``. An edited
/// task, or one whose files are missing, gets another version and runs again with its dependents.
///
/// Only the process that the user starts checks for files, once, at the start or resumption: its folder is where the
/// files belong. Increased versions are stored before any task is offered. Workers use the stored versions and check no
/// files, since their machines may not have files written elsewhere. A worker runs a step of any version, and resumes a
/// run with the versions that its owner has left.
enum FlowVersions {
    private static let countBits = 16

    /// Returns the versions for a process that starts or resumes the run, increased where a file is missing.
    static func begun(of plan: FlowPlan, in store: any RunStore, _ id: RunID) throws -> [String: Int] {
        let kept = try Kept(of: plan, in: store, id) { !$0.isThere }
        return versions(of: plan) { task, first in
            let own = (kept.versions[task] ?? []).filter { $0 >> countBits == first >> countBits }
            guard let latest = own.max() else { return first }
            return latest + (kept.gone.contains(task) ? 1 : 0)
        }
    }

    /// Returns the stored versions, for a worker that resumes a run without an owner.
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
        var files: [String: UInt64] = [:]
        for task in plan.file.tasks {
            let digest = plan.meaning(of: task, &files).number
            versions[task.name] = version(task.name, digest << countBits | 1)
        }
        return versions
    }

    /// Explains the difference between two versions of a task.
    static func change(from old: Int, to new: Int) -> (reason: PlannedStep.Reason, text: String) {
        let (before, now) = (old >> countBits, new >> countBits)
        // Only the counter has changed.
        if before == now { return (.fileGone, "a file that it made is missing or changed") }
        let parts = FlowTaskMeaning.changes(from: before, to: now)
        return (
            .definitionChanged,
            "its \(parts.isEmpty ? "definition" : parts.joined(separator: " and ")) changed"
        )
    }

    /// The stored versions.
    private struct Kept {
        /// The versions of each task and its elements.
        var versions: [String: [Int]] = [:]
        /// The versions of steps that are tasks themselves.
        var ofTasks: [String: Int] = [:]
        /// The tasks with missing files.
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
                // An unreadable result runs again in any case.
                guard let data = try? store.result(of: step.name, in: id),
                    let files = try? JSONDecoder().decode(KeptFiles.self, from: data)
                else { return }
                if files.files.contains(where: isGone) { gone.insert(task) }
            }
        }

        /// Returns the task of a step: itself, its list, or an element such as `page[3]`.
        private func task(of step: String, in names: Set<String>) -> String? {
            if names.contains(step) { return step }
            let task = String(step.unicodeScalars.prefix { $0 != "[" && $0 != " " })
            return names.contains(task) ? task : nil
        }
    }

    /// The part of a stored ``FlowResult`` about files.
    private struct KeptFiles: Decodable {
        let files: [ProducedFile]
    }
}

extension FlowTask {
    fileprivate var writesFiles: Bool {
        flow != nil || steps.contains { if case .save = $0.verb { true } else { false } }
    }
}
