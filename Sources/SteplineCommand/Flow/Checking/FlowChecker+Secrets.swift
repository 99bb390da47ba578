extension FlowChecker {
    /// Checks the sources of the file's secrets.
    mutating func checkSecrets() {
        for secret in file.secrets {
            switch secret.source {
            case .environment, .broken: break
            case .file(let path): checkPath(path.path, path.offset, isWritten: false)
            case .command(let program):
                for reference in program.arguments.flatMap(\.references) {
                    guard !isInner else {
                        issues.add(
                            .secret, at: reference.offset,
                            "in a file that a task runs, a secret's command can't use parameters: it runs before all tasks"
                        )
                        continue
                    }
                    guard case .parameter(let name) = reference.name else {
                        issues.add(
                            .secret, at: reference.offset,
                            "a secret's command can use only parameters: it runs before all tasks")
                        continue
                    }
                    checkParameter(name, reference.offset)
                }
            }
        }
    }

    mutating func checkSecret(_ name: String, _ offset: Int) {
        guard file.secret(name) == nil else {
            usedSecrets.insert(name)
            return
        }
        issues.add(
            .unknownName, at: offset, "there is no secret \"\(name)\"",
            hint: issues.guess(name, among: file.secrets.map(\.name))
                ?? "add secrets: { \(name): { env: \"\(name.uppercased())\" } } to the file")
    }

    /// Warns of secrets in a program's arguments, which all users can read in the list of processes.
    mutating func checkArguments(of program: FlowProgram) {
        for argument in program.arguments {
            for reference in argument.references {
                guard case .secret(let name) = reference.name else { continue }
                issues.warn(
                    .secret, at: reference.offset,
                    "the secret \"\(name)\" would appear in the process list, which all users can read",
                    hint: "pass it in env or on stdin")
            }
        }
    }
}
