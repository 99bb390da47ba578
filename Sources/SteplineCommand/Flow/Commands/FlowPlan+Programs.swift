extension FlowPlan {
    /// The programs that the file wants to run and may not.
    func refusedPrograms(allowed: Set<String>) -> [FlowIssue] {
        file.tasks.flatMap(\.steps).compactMap { step in
            guard case .run(let program) = step.verb, !allowed.contains(program.program) else { return nil }
            return FlowIssue(
                .program, at: program.offset, "the file wants to run \(program.program)",
                hint: "--allow-run \(program.program) would allow it")
        }
    }
}
