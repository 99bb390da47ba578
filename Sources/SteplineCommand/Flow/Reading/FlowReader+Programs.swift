import SteplineSupport

extension FlowReader {
    /// Parses a program with its arguments, or a shell with its script.
    mutating func run(_ node: FlowNode, _ fields: FlowFields) -> FlowProgram? {
        let folder = fields["in"].flatMap { template($0, "in") }
        if folder?.literal == "" { issues.add(.wrongValue, at: folder?.offset ?? 0, "in is empty") }
        var program: FlowProgram?
        if case .object = node.value {
            program = script(node, fields)
        } else {
            program = self.program(node, "run", fields)
        }
        program?.folder = folder
        return program
    }

    private mutating func script(_ node: FlowNode, _ fields: FlowFields) -> FlowProgram? {
        let limit = fields["limit"].flatMap { size($0, "limit") }
        let environment = fields["env"].map { readVariables($0) } ?? []
        if let options = fields.members.first(where: { $0.key == "options" }) {
            issues.add(.wrongValue, at: options.offset, "\"options\" has no meaning for a script")
        }
        guard let own = self.fields(node, "run", .script) else { return nil }
        for key in ["shell", "script"] where own.lacks(key) {
            issues.add(.missingKey, at: node.offset, "run has no \"\(key)\"")
        }
        let shell: FlowShell? = word("shell", of: own)
        let text = own["script"].flatMap { scriptText($0) }
        guard let shell, let text else { return nil }
        var program = FlowProgram(program: shell.rawValue, arguments: [], offset: node.offset)
        program.script = FlowScript(shell: shell, text: text)
        program.environment = environment
        program.limit = limit
        return program
    }

    /// Parses a script, or its lines; nil if it is invalid.
    private mutating func scriptText(_ node: FlowNode) -> String? {
        let nodes: [FlowNode]
        if case .list(let lines) = node.value { nodes = lines } else { nodes = [node] }
        let lines = nodes.map { scriptLines($0) }
        guard !lines.contains(where: { $0 == nil }) else { return nil }
        let text = lines.compactMap(\.self).joined(separator: "\n")
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            issues.add(.wrongValue, at: node.offset, "the script is empty")
            return nil
        }
        guard text.utf8.count <= FlowScript.longest, !text.utf8.contains(0) else {
            issues.add(
                .wrongValue, at: node.offset,
                "a script has at most \(FlowScript.longest) bytes, and no zero byte",
                hint: "put it into a file: run: [\"sh\", \"file\"]")
            return nil
        }
        return text
    }

    /// Parses a part of a script, in which `$${` stands for `${`; refuses expressions.
    ///
    /// A value in the text of a script could run other commands.
    private mutating func scriptLines(_ node: FlowNode) -> String? {
        guard let text = text(node, "a line of the script") else { return nil }
        let place: Int
        do {
            let template = try FlowTemplate(text)
            if let literal = template.literal { return literal }
            place = template.formulas.first?.root.offset ?? text.start
        } catch {
            // The shell's own `${X:-y}` is no expression.
            place = error.offset
        }
        issues.add(
            .program, at: place, "a script takes no values by ${…}",
            hint: "write env: { NAME: \"${…}\" } beside run, and \"$NAME\" here; $${ is the shell's own ${")
        return nil
    }

    /// Parses the variables of all programs, which may insert parameters and secrets.
    mutating func environment(_ node: FlowNode) -> [(name: String, value: FlowTemplate)] {
        readVariables(node).filter { variable in
            let other = variable.value.references.first { reference in
                switch reference.name {
                case .parameter, .secret: false
                default: true
                }
            }
            guard let other else { return true }
            issues.add(
                .unknownName, at: other.offset, "the file's env can use only parameters and secrets",
                hint: "write it into the env of a step")
            return false
        }
    }

    mutating func program(_ node: FlowNode, _ what: String, _ fields: FlowFields) -> FlowProgram? {
        guard case .list(let nodes) = node.value else {
            if node.text != nil {
                let script = what == "run" ? ", or run: { shell: \"bash\", script: \"…\" }" : ""
                issues.add(
                    .wrongType, at: node.offset, "\(what) is a list: the program and its arguments",
                    hint: "write \(what): [\"program\", \"argument\"]\(script)")
            } else {
                wrong(node, "\(what) is a list: the program and its arguments")
            }
            return nil
        }
        let templates = nodes.map { template($0, "an argument") }
        let limit = fields["limit"].flatMap { size($0, "limit") }
        let environment = fields["env"].map { readVariables($0) } ?? []
        guard let first = templates.first else {
            issues.add(.wrongValue, at: node.offset, "there is no program to run")
            return nil
        }
        guard let name = first else { return nil }
        guard let program = name.literal, !program.isEmpty else {
            issues.add(
                .program, at: nodes[0].offset,
                "the program's name must be literal, so that --allow-run can name it")
            return nil
        }
        guard !templates.contains(where: { $0 == nil }) else { return nil }
        return FlowProgram(
            program: program, arguments: templates.dropFirst().compactMap(\.self), offset: node.offset,
            environment: environment, limit: limit, letsOptions: truth("options", of: fields) ?? false)
    }

    /// Parses the environment variables of a program, or of all programs.
    private mutating func readVariables(_ node: FlowNode) -> [(name: String, value: FlowTemplate)] {
        members(node, "env").compactMap { member in
            if !Self.isVariable(member.key), !member.key.isEmpty {
                issues.add(.wrongValue, at: member.offset, "\"\(member.key)\" is no name of a variable")
            }
            // The dynamic loader would execute other code in any permitted program.
            if member.key.hasPrefix("LD_") || member.key.hasPrefix("DYLD_") {
                issues.add(.program, at: member.offset, "a file can't set \(member.key)")
            }
            return template(member.value, "a variable").map { (name: member.key, value: $0) }
        }
    }
}

extension FlowStep {
    /// Returns the step with more variables for its program; its own count first.
    func adding(_ variables: [(name: String, value: FlowTemplate)]) -> FlowStep {
        guard !variables.isEmpty, case .run(var program) = verb else { return self }
        let own = Set(program.environment.map(\.name))
        program.environment = variables.filter { !own.contains($0.name) } + program.environment
        var step = self
        step.verb = .run(program)
        return step
    }
}
