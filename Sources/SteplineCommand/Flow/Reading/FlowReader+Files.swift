import SteplineSupport

extension FlowReader {
    /// Parses a step that finds or changes files; nil for other steps.
    mutating func fileVerb(_ verb: FlowMember, _ fields: FlowFields) -> FlowStep.Verb? {
        switch verb.key {
        case "files": files(verb.value, fields)
        case "append": append(verb.value, fields)
        case "copy", "move": relocation(verb, fields)
        case "delete": deletion(verb.value, fields)
        case "folder":
            place(verb.value, "folder").map { .file(FlowFileWork(act: .makeFolder, places: [$0])) }
        default: nil
        }
    }

    private mutating func files(_ node: FlowNode, _ fields: FlowFields) -> FlowStep.Verb? {
        let links = truth("links", of: fields) ?? false
        let patterns = paths(node, "files")
        guard !patterns.isEmpty else {
            if case .list(let nodes) = node.value, nodes.isEmpty {
                issues.add(.wrongValue, at: node.offset, "there is no pattern")
            }
            return nil
        }
        let nodes: [FlowNode] = if case .list(let parts) = node.value { parts } else { [node] }
        for node in nodes {
            // The value of a formula is unknown until the run.
            guard let text = node.text, !text.string.holds("${"), !text.string.isEmpty else { continue }
            do {
                _ = try PathPattern.all(text.string)
            } catch {
                issues.add(
                    .wrongValue, at: text.fileOffset(of: error.byteOffset), error.message, hint: error.hint)
            }
        }
        return .files(FlowFinding(patterns: patterns, followsLinks: links))
    }

    private mutating func append(_ node: FlowNode, _ fields: FlowFields) -> FlowStep.Verb? {
        let format: FlowSave.Format? = word("format", of: fields)
        return place(node, "append").map { .append(FlowAppend(place: $0, format: format)) }
    }

    private mutating func relocation(_ verb: FlowMember, _ fields: FlowFields) -> FlowStep.Verb? {
        let places = paths(verb.value, verb.key)
        let replaces = truth("replace", of: fields) ?? false
        let isRequired = truth("required", of: fields) ?? true
        guard let node = fields["to"] else {
            guard fields.lacks("to") else { return nil }
            issues.add(
                .missingKey, at: verb.offset, "\(verb.key) has no target",
                hint: "add to: \"folder/\"")
            return nil
        }
        guard let target = place(node, "to"), !places.isEmpty else { return nil }
        if places.count > 1, let literal = target.literal, !literal.ends(with: "/") {
            issues.add(
                .wrongValue, at: node.offset, "several files can go into a folder only",
                hint: "write to: \"\(literal)/\"")
        }
        return .file(
            FlowFileWork(
                act: verb.key == "copy" ? .copy(to: target) : .move(to: target), places: places,
                replaces: replaces, isRequired: isRequired))
    }

    private mutating func deletion(_ node: FlowNode, _ fields: FlowFields) -> FlowStep.Verb? {
        let places = paths(node, "delete")
        let folders = truth("folders", of: fields) ?? false
        let isRequired = truth("required", of: fields) ?? true
        guard !places.isEmpty else { return nil }
        return .file(
            FlowFileWork(act: .delete, places: places, takesFolders: folders, isRequired: isRequired))
    }

    /// Parses a path that isn't empty.
    private mutating func place(_ node: FlowNode, _ what: String) -> FlowTemplate? {
        guard let template = template(node, what) else { return nil }
        guard template.literal != "" else {
            issues.add(.wrongValue, at: node.offset, "there is no path")
            return nil
        }
        return template
    }
}
