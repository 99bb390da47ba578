extension WorkflowSchedule: CustomStringConvertible {
    /// The length with the critical path, then a line for each task, at most a hundred: `parse: 1 s to 3 s, slack 2 s`.
    public var description: String {
        let chain = criticalPath.map(\.name).joined(separator: ", ")
        let head = TimeText.round(length.nanoseconds) + (chain.isEmpty ? "" : ", critical path: \(chain)")
        let lines = tasks.indices.prefix(100).map { place in
            guard let span = spans[place] else { return "\(tasks[place]): not measured" }
            let (begin, end) = (TimeText.round(span.begin), TimeText.round(span.end))
            let slack = slacks[place].map { $0 > 0 ? ", slack \(TimeText.round($0))" : "" } ?? ""
            return "\(tasks[place]): \(begin) to \(end)\(slack)"
        }
        let rest = tasks.count - lines.count
        return ([head] + lines + (rest > 0 ? ["and \(TimeText.count(rest, "more task"))"] : []))
            .joined(separator: "\n")
    }
}
