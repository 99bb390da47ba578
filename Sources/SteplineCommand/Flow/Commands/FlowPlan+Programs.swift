import SteplineSupport

extension FlowPlan {
    /// The plan itself, and those of all files that are run.
    var all: [FlowPlan] { [self] + library.sorted { $0.key < $1.key }.map(\.value) }

    /// A task by the name that it is told under, with the plan of its file: those of files that tasks run have the
    /// tasks' names in front.
    func task(told name: String) -> (FlowTask, FlowPlan)? {
        if let task = file.task(name) { return (task, self) }
        for outer in file.tasks where outer.flow != nil {
            guard let rest = name.behind(outer.name + "/") else { continue }
            if let found = planned(outer)?.task(told: rest) { return found }
        }
        return nil
    }

    /// The files that are run by the tasks that are to be run, and by the tasks of these.
    private var filesToRun: Set<String> {
        var found: Set<String> = []
        var toVisit = order.compactMap { inclusions[$0.name] }
        while let path = toVisit.popLast() {
            guard found.insert(path).inserted, let inner = library[path] else { continue }
            toVisit += inner.inclusions.values
        }
        return found
    }

    /// Reads the secrets of all files that are run; none of them is told by any.
    ///
    /// `warn` is told of those that are so short that they can't be hidden safely.
    mutating func readSecrets(
        _ environment: [String: String], warn: (String) -> Void = { _ in }
    ) async throws {
        let own = try await FlowSecrets(neededSecrets, in: setting, environment)
        var inner: [String: FlowSecrets] = [:]
        let paths = filesToRun
        for (path, plan) in library where paths.contains(path) {
            inner[path] = try await FlowSecrets(plan.neededSecrets, in: plan.setting, environment)
        }
        give(own, inner)
        for name in ([own] + inner.values).flatMap(\.short).sorted() {
            warn(
                "the secret \"\(name)\" has less than \(SecretRedactor.safest) bytes: as few stand in other texts and "
                    + "numbers by chance, and are taken out there, too, which tells what they are")
        }
    }

    /// The plan with its secrets, as they are read; nil if a signal has come first.
    ///
    /// The programs that were asked for them have ended then.
    func withSecrets(
        _ environment: [String: String], _ signals: RunSignals, warn: @escaping @Sendable (String) -> Void
    ) async throws -> FlowPlan? {
        try await signals.interrupting {
            var plan = self
            try await plan.readSecrets(environment, warn: warn)
            return plan
        }
    }

    /// Whether what is asked for a secret depends on the parameters of a run.
    var hasSecretsOfParameters: Bool {
        file.secrets.contains { secret in
            guard case .command(let program) = secret.source else { return false }
            return program.arguments.contains { !$0.references.isEmpty }
        }
    }

    /// Gives secrets to the file, and to those that are run, by their paths.
    mutating func give(_ own: FlowSecrets, _ inner: [String: FlowSecrets]) {
        let ofInner = inner.sorted { $0.key < $1.key }.map { path, secrets in
            (file: library[path]?.setting.source.name ?? path, secrets: secrets)
        }
        let redactor = FlowSecrets(all: [(file: setting.source.name, secrets: own)] + ofInner).redactor
        setting.secrets = FlowSecrets(own, hiding: redactor)
        for (path, secrets) in inner {
            library[path]?.setting.secrets = FlowSecrets(secrets, hiding: redactor)
        }
    }

    /// What the files want and may not have by what was given, a line each.
    func refusals(of arguments: Arguments) -> [String] {
        let programs = Set(arguments.all(.allowRun).map { ExactText($0) })
        let variables = Set(arguments.all(.allowEnv).map { ExactText($0) })
        return all.flatMap { plan in
            let refused =
                plan.refusedPrograms(allowed: programs) + plan.refusedVariables(allowed: variables)
                + plan.refusedSettings(allowed: variables)
            return refused.map { $0.line(in: plan.setting.source) }
        }
    }

    /// Lists the variables that files set for a test's programs without permission, a line each.
    func refusedSettings(ofRun arguments: Arguments) -> [String] {
        let variables = Set(arguments.all(.allowEnv).map { ExactText($0) })
        let programs = Set(arguments.all(.allowRun))
        return all.flatMap { plan in
            plan.refusedSettings(allowed: variables, of: programs).map { $0.line(in: plan.setting.source) }
        }
    }

    /// The programs that the file wants to run and may not.
    func refusedPrograms(allowed: Set<ExactText>) -> [FlowIssue] {
        let ofSteps = file.tasks.flatMap(\.steps).compactMap { step in
            if case .run(let program) = step.verb { program } else { nil }
        }
        let ofSecrets = file.secrets.compactMap { secret in
            if case .command(let program) = secret.source { program } else { nil }
        }
        return (ofSecrets + ofSteps).filter { !allowed.contains(ExactText($0.program)) }.map { program in
            FlowIssue(
                .program, at: program.offset, "the file wants to run \(program.program)",
                hint: "--allow-run \(program.program) would allow it")
        }
    }

    /// The variables that the file sets for programs and may not set, as far as they are run.
    ///
    /// - Parameter programs: The programs that are run; nil for all.
    func refusedSettings(allowed: Set<ExactText>, of programs: Set<String>? = nil) -> [FlowIssue] {
        file.tasks.flatMap(\.steps).flatMap { step -> [FlowIssue] in
            guard case .run(let program) = step.verb, programs?.contains(program.program) != false else {
                return []
            }
            let refused = program.environment.filter { name, _ in
                !ProgramEnvironment.isFree(name) && !allowed.contains(ExactText(name))
            }
            return refused.map { name, value in
                FlowIssue(
                    .program, at: value.offset, "the file wants to set \(name) for \(program.program)",
                    hint: "--allow-env \(name) would allow it")
            }
        }
    }

    /// The variables of the environment that the file wants as secrets and may not have.
    ///
    /// It may come from a stranger, and send them anywhere.
    func refusedVariables(allowed: Set<ExactText>) -> [FlowIssue] {
        file.secrets.compactMap { secret in
            guard case .environment(let name) = secret.source, !allowed.contains(ExactText(name)) else {
                return nil
            }
            return FlowIssue(
                .secret, at: secret.offset, "the file wants \(name) of the environment",
                hint: "--allow-env \(name) would allow it")
        }
    }
}
