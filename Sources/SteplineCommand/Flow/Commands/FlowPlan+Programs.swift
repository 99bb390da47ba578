import SteplineSupport

extension FlowPlan {
    /// This plan and the plans of all included files.
    var all: [FlowPlan] { [self] + library.sorted { $0.key < $1.key }.map(\.value) }

    /// The files run by the selected tasks, directly or indirectly.
    private var filesToRun: Set<String> {
        var found: Set<String> = []
        var toVisit = order.compactMap { inclusions[$0.name] }
        while let path = toVisit.popLast() {
            guard found.insert(path).inserted, let inner = library[path] else { continue }
            toVisit += inner.inclusions.values
        }
        return found
    }

    /// Reads the secrets of all files; values are never part of an error.
    ///
    /// `warn` receives the secrets that are too short to be hidden reliably.
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
                "the secret \"\(name)\" has less than \(SecretRedactor.safest) bytes: short texts also occur by chance, "
                    + "and their redaction can reveal the secret")
        }
    }

    /// Returns the plan with its secrets; nil if a signal came first.
    ///
    /// Programs that provide secrets have ended by then.
    func withSecrets(
        _ environment: [String: String], _ signals: RunSignals, warn: @escaping @Sendable (String) -> Void
    ) async throws -> FlowPlan? {
        try await signals.interrupting {
            var plan = self
            try await plan.readSecrets(environment, warn: warn)
            return plan
        }
    }

    /// Whether a secret's command depends on parameters.
    var hasSecretsOfParameters: Bool {
        file.secrets.contains { secret in
            guard case .command(let program) = secret.source else { return false }
            return program.arguments.contains { !$0.references.isEmpty }
        }
    }

    /// Assigns secrets to this file and to included files by path.
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

    /// Returns the permissions that the files need and don't have, one per line.
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

    /// Returns the variables that files set for a test's programs without permission, one per line.
    func refusedSettings(ofRun arguments: Arguments) -> [String] {
        let variables = Set(arguments.all(.allowEnv).map { ExactText($0) })
        let programs = Set(arguments.all(.allowRun))
        return all.flatMap { plan in
            plan.refusedSettings(allowed: variables, of: programs).map { $0.line(in: plan.setting.source) }
        }
    }

    /// Returns the programs that the file needs permission for.
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

    /// Returns the variables that the file sets for programs without permission.
    ///
    /// - Parameters:
    ///   - allowed: The permitted variables.
    ///   - programs: The programs to consider; nil for all.
    /// - Returns: An issue for each variable.
    func refusedSettings(allowed: Set<ExactText>, of programs: Set<String>? = nil) -> [FlowIssue] {
        var known: Set<FlowIssue> = []
        return file.tasks.flatMap(\.steps).flatMap { step -> [FlowIssue] in
            // A script could set any variable itself.
            guard case .run(let program) = step.verb, program.script == nil,
                programs?.contains(program.program) != false
            else { return [] }
            let refused = program.environment.filter { name, _ in
                !ProgramEnvironment.isFree(name) && !allowed.contains(ExactText(name))
            }
            return refused.map { name, value in
                FlowIssue(
                    .program, at: value.offset, "the file wants to set \(name) for \(program.program)",
                    hint: "--allow-env \(name) would allow it")
            }
            // A variable of the file is set for each of its programs.
            .filter { known.insert($0).inserted }
        }
    }

    /// Returns the environment variables that the file uses as secrets without permission.
    ///
    /// A file from an untrusted source could send them anywhere.
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
