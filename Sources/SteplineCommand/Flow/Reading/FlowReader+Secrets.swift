extension FlowReader {
    mutating func secrets(_ node: FlowNode) -> [FlowSecret] {
        members(node, "secrets").map { member in
            if !Self.isName(member.key) {
                issues.add(
                    .secret, at: member.offset,
                    "a secret's name may contain only letters, digits and _")
            }
            return FlowSecret(name: member.key, offset: member.offset, source: source(member) ?? .broken)
        }
    }

    private mutating func source(_ member: FlowMember) -> FlowSecret.Source? {
        let expected =
            "a secret needs a source: "
            + "{ env: \"NAME\" }, { file: \"path\" } or { command: [\"program\"] }"
        guard case .object(let members) = member.value.value else {
            if member.value.text != nil {
                issues.add(
                    .secret, at: member.value.offset, "a secret must not be written in the file",
                    hint: "write { env: \"NAME\" }, and set it in the environment")
            } else {
                wrong(member.value, expected)
            }
            return nil
        }
        guard let fields = fields(member.value, "a secret", .secret) else { return nil }
        let given = members.filter { FlowKeys.secret[$0.key] != nil }
        guard let first = given.first else {
            if members.isEmpty { issues.add(.missingKey, at: member.value.offset, expected) }
            return nil
        }
        for other in given.dropFirst() {
            issues.add(
                .wrongValue, at: other.offset,
                "a secret has one source: \"\(first.key)\" or \"\(other.key)\"")
        }
        switch first.key {
        case "env":
            guard let text = text(first.value, "env") else { return nil }
            guard Self.isVariable(text.string) else {
                issues.add(
                    .wrongValue, at: text.start,
                    "\"\(text.string)\" is no name of a variable in the environment")
                return nil
            }
            return .environment(text.string)
        case "file":
            guard let text = text(first.value, "file") else { return nil }
            guard !text.string.isEmpty else {
                issues.add(.wrongValue, at: first.value.offset, "file is empty")
                return nil
            }
            return .file(FlowPath(path: text.string, offset: first.value.offset))
        default: return program(first.value, "command", fields).map { .command($0) }
        }
    }

    /// Returns whether a text is a valid name of an environment variable.
    static func isVariable(_ text: String) -> Bool {
        !text.isEmpty && !text.utf8.contains(UInt8(ascii: "=")) && !text.utf8.contains(0)
    }
}
