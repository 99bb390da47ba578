import SteplineSupport

extension WorkflowTask: CustomDebugStringConvertible {
    /// The task and everything downstream, one per line, indented by level; repeated tasks are marked `(above)`.
    public var debugDescription: String {
        guard let (core, number) = home else { return description }
        return core.draw([number], level: 0)
    }
}

extension Workflow: CustomDebugStringConvertible {
    /// The workflow and all its tasks, with the tasks without prerequisites at the first level.
    public var debugDescription: String {
        let roots = core.look { $0.roots() }
        return roots.isEmpty ? description : description + "\n" + core.draw(roots, level: 1)
    }
}

extension WorkflowCore {
    /// Draws tasks with their dependents, using an explicit stack: a chain may exceed the thread's stack.
    fileprivate func draw(_ roots: [Int32], level: Int) -> String {
        var lines: [String] = []
        var seen: Set<Int32> = []
        // Reversed, because the list is used as a stack.
        var toDraw = roots.reversed().map { (number: $0, level: level) }
        while let (number, level) = toDraw.popLast() {
            let isNew = seen.insert(number).inserted
            let indent = String(repeating: "   | ", count: level)
            lines.append(indent + task(number).description + (isNew ? "" : " (above)"))
            // Each task is expanded once, so the text is linear in the graph.
            guard isNew else { continue }
            // Locked once per task: the lines may belong to different moments.
            let dependents = look { $0.graph.dependents(of: number) }
            toDraw += dependents.reversed().map { ($0, level + 1) }
        }
        return lines.joined(separator: "\n")
    }
}
