import Foundation
import SteplinePipeline

/// What is known of the files that tasks read and write, before the run.
struct FlowFiles {
    /// When a file was last written.
    enum Age: Comparable {
        /// Older than any other.
        case never
        case written(Date)
        /// It isn't there: what it is made for is out of date.
        case missing
    }

    private let setting: FlowSetting

    init(_ setting: FlowSetting) { self.setting = setting }

    /// The age of the newest file that a task reads, in a list; an empty one if none is known.
    func newestSource(of task: FlowTask) -> [Age] {
        let found = task.steps.flatMap { step in
            if case .files(let finding) = step.verb { ages(of: finding) } else { [Age]() }
        }
        return (ages(of: sources(of: task)) + found).max().map { [$0] } ?? []
    }

    /// The files that a task reads, as far as they are known: those it names, and those that it loads or copies.
    private func sources(of task: FlowTask) -> [FlowTemplate] {
        task.reads
            + task.steps.flatMap { step in
                switch step.verb {
                case .load(let load):
                    let path = isKnown(load.place) ? filled(load.place) : nil
                    return path.map { FlowAddress.scheme(of: $0) == nil } == true ? [load.place] : []
                case .file(let work):
                    guard case .copy = work.act, !work.ifThere else { return [] }
                    return work.places.filter { isKnown($0) }
                default: return []
                }
            }
    }

    /// The ages of the files that are there for patterns, as far as these are known.
    private func ages(of finding: FlowFinding) -> [Age] {
        guard finding.patterns.allSatisfy({ isKnown($0) }) else { return [] }
        let scope = FlowScope(setting: setting, bag: Content(), input: nil)
        // What can't be looked for is the run's to tell.
        guard let paths = try? finding.paths(in: scope) else { return [.missing] }
        return paths.map { age(at: $0) }
    }

    func ages(of paths: [FlowTemplate]) -> [Age] { paths.map { age(of: $0) } }

    /// Those of a task's files that aren't there though it has written them.
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

    /// The path, with parameters filled in.
    private func filled(_ path: FlowTemplate) -> String? {
        try? FlowScope(setting: setting, bag: Content(), input: nil).path(path)
    }
}
