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

    /// The files that a task reads, as far as they are known: those it names, and those that it loads.
    func sources(of task: FlowTask) -> [FlowTemplate] {
        task.reads
            + task.steps.compactMap { step in
                guard case .load(let load) = step.verb, isKnown(load.place),
                    let path = filled(load.place), FlowAddress.scheme(of: path) == nil
                else { return nil }
                return load.place
            }
    }

    func ages(of paths: [FlowTemplate]) -> [Age] { paths.map { age(of: $0) } }

    /// The age of the newest, in a list; an empty one for no files.
    func newest(of paths: [FlowTemplate]) -> [Age] { ages(of: paths).max().map { [$0] } ?? [] }

    /// Those of a task's files that aren't there though it has written them.
    func missing(of task: FlowTask) -> [String] {
        task.writes.filter { age(of: $0) == .missing }.map { filled($0) ?? $0.text }
    }

    private func age(of path: FlowTemplate) -> Age {
        guard let text = filled(path), let url = try? setting.folder.resolve(text),
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
        let evaluator = FlowScope(setting: setting, bag: Content(), input: nil).evaluator()
        return try? path.filled(by: evaluator) { try FlowAddress.fillPath($0, behind: $1) }
    }
}
