import Foundation
import SteplinePipeline

/// The state of the tasks' files before the run.
struct FlowFiles {
    /// The age of a file.
    enum Age: Comparable {
        /// Older than any file.
        case never
        case written(Date)
        /// Missing: everything derived from the file is out of date.
        case missing
    }

    private let setting: FlowSetting

    init(_ setting: FlowSetting) { self.setting = setting }

    /// Returns the newest age of a task's inputs in a list; empty if none is known.
    func newestSource(of task: FlowTask) -> [Age] {
        let found = task.steps.flatMap { step in
            if case .files(let finding) = step.verb { ages(of: finding) } else { [Age]() }
        }
        return (ages(of: sources(of: task)) + found).max().map { [$0] } ?? []
    }

    /// Returns the known inputs of a task: declared, loaded and copied files.
    private func sources(of task: FlowTask) -> [FlowTemplate] {
        task.reads
            + task.steps.flatMap { step in
                switch step.verb {
                case .load(let load):
                    let path = isKnown(load.place) ? filled(load.place) : nil
                    return path.map { FlowAddress.scheme(of: $0) == nil } == true ? [load.place] : []
                case .file(let work):
                    guard case .copy = work.act, work.isRequired else { return [] }
                    return work.places.filter { isKnown($0) }
                default: return []
                }
            }
    }

    /// Returns the ages of files found by patterns, if the patterns are known.
    private func ages(of finding: FlowFinding) -> [Age] {
        guard finding.patterns.allSatisfy({ isKnown($0) }) else { return [] }
        let scope = FlowScope(setting: setting, bag: Content(), input: nil)
        // The run will report the error of a failing search.
        guard let paths = try? finding.paths(in: scope) else { return [.missing] }
        return paths.map { age(at: $0) }
    }

    func ages(of paths: [FlowTemplate]) -> [Age] { paths.map { age(of: $0) } }

    /// Returns the declared outputs of a task that don't exist.
    func missing(of task: FlowTask) -> [String] {
        task.writes.filter { age(of: $0) == .missing }.map { filled($0) ?? $0.text }
    }

    private func age(of path: FlowTemplate) -> Age { filled(path).map { age(at: $0) } ?? .missing }

    private func age(at path: String) -> Age {
        guard let url = try? setting.folder.resolve(path),
            let facts = try? FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false)),
            let date = facts[.modificationDate] as? Date
        else { return .missing }
        return .written(date)
    }

    private func isKnown(_ path: FlowTemplate) -> Bool {
        path.references.allSatisfy { if case .parameter = $0.name { true } else { false } }
    }

    /// Returns the path with parameters inserted.
    private func filled(_ path: FlowTemplate) -> String? {
        try? FlowScope(setting: setting, bag: Content(), input: nil).path(path)
    }
}
