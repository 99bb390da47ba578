import SteplineSupport

extension FlowReader {
    /// Parses the workflow file that a task runs instead of steps.
    mutating func inclusion(_ fields: FlowFields) -> FlowInclusion? {
        guard let node = fields["flow"], let text = text(node, "flow") else { return nil }
        guard !text.string.isEmpty, !text.string.holds("${") else {
            issues.add(
                .wrongValue, at: node.offset,
                text.string.isEmpty
                    ? "flow is empty" : "the file that a task runs must be known before the run")
            return nil
        }
        if let scheme = FlowAddress.scheme(of: text.string) {
            issues.add(.wrongValue, at: node.offset, "a task runs files only, and none of \(scheme): URLs")
            return nil
        }
        var inclusion = FlowInclusion(path: FlowPath(path: text.string, offset: node.offset))
        guard let given = fields["with"] else { return inclusion }
        if case .object = given.value {} else { inclusion.isWhole = false }
        for member in members(given, "with") {
            guard !member.key.isEmpty, let value = literal(member.value) else {
                inclusion.isWhole = false
                continue
            }
            inclusion.parameters.append(
                FlowArgument(
                    name: member.key, offset: member.offset, value: value, valueOffset: member.value.offset))
        }
        return inclusion
    }
}
