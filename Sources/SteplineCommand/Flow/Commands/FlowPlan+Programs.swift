extension FlowPlan {
    /// The programs that the file wants to run and may not.
    func refusedPrograms(allowed: Set<String>) -> [FlowIssue] {
        let ofSteps = file.tasks.flatMap(\.steps).compactMap { step in
            if case .run(let program) = step.verb { program } else { nil }
        }
        let ofSecrets = file.secrets.compactMap { secret in
            if case .command(let program) = secret.source { program } else { nil }
        }
        return (ofSecrets + ofSteps).filter { !allowed.contains($0.program) }.map { program in
            FlowIssue(
                .program, at: program.offset, "the file wants to run \(program.program)",
                hint: "--allow-run \(program.program) would allow it")
        }
    }
}
