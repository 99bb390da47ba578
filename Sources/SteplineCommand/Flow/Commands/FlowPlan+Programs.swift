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

    /// The variables of the environment that the file wants as secrets and may not have.
    ///
    /// It may come from a stranger, and send them anywhere.
    func refusedVariables(allowed: Set<String>) -> [FlowIssue] {
        file.secrets.compactMap { secret in
            guard case .environment(let name) = secret.source, !allowed.contains(name) else { return nil }
            return FlowIssue(
                .secret, at: secret.offset, "the file wants \(name) of the environment",
                hint: "--allow-env \(name) would allow it")
        }
    }
}
