/// Why a machine doesn't take a task in.
enum Refusal {
    case nameIsTaken
    case follows(cleanup: String)
}

extension WorkflowState {
    /// Why a task of that name can't be added after its prerequisites, if it can't.
    func refusal(
        of name: String, after prerequisites: some Sequence<Int32>, isCleanup: Bool = false
    ) -> Refusal? {
        if tables.hasCleanups, !isCleanup {
            let cleanup = prerequisites.first { nodes[Int($0)].flags.contains(.cleanup) }
            if let cleanup { return .follows(cleanup: self.name(Int(cleanup))) }
        }
        return options.requiresUniqueNames && tables.taken[name] != nil ? .nameIsTaken : nil
    }
}

extension Workflow {
    /// A refusal in words.
    func error(_ refusal: Refusal, of task: String) -> WorkflowError {
        switch refusal {
        case .nameIsTaken: WorkflowError(.duplicateName, task, "the name is taken in \(name)")
        case .follows(let cleanup):
            WorkflowError(.cleanupPrerequisite, task, "can't depend on the cleanup \(cleanup)")
        }
    }
}
