import SteplineSupport

extension FlowReader {
    mutating func step(_ node: FlowNode) -> FlowStep {
        let broken = FlowStep(verb: .broken, word: "", offset: node.offset)
        guard case .object(let members) = node.value else {
            wrong(node, "a step is an object, as { load: \"https://…\" }")
            return broken
        }
        let words = FlowKeys.verbs.map { $0.all[0].name }
        let found = members.filter { words.contains($0.key) }
        guard let verb = found.first, let index = words.firstIndex(of: verb.key) else {
            // A key that looks like a misspelt verb is likely one.
            let guess = members.lazy.compactMap { member in
                Guess.nearest(to: member.key, among: words).map { (member, $0) }
            }.first
            issues.add(
                .missingKey, at: guess?.0.offset ?? node.offset,
                guess.map { "unknown step \"\($0.0.key)\"" }
                    ?? "a step does one of: \(words.joined(separator: ", "))",
                hint: guess.map { "did you mean \"\($0.1)\"?" })
            return broken
        }
        for other in found.dropFirst() where other.key != verb.key {
            issues.add(
                .wrongValue, at: other.offset, "a step does one thing: \"\(verb.key)\" or \"\(other.key)\"",
                hint: "make it two steps")
        }
        var fields = FlowFields(offset: node.offset, members: members, keys: FlowKeys.verbs[index])
        for member in members where !words.contains(member.key) && fields.keys[member.key] == nil {
            let hint =
                Self.placeHint(for: member.key) ?? (verb.key == "run" ? Self.runHint(for: member.key) : nil)
            tellUnknown(member, in: "a step that does \(verb.key)", &fields, hint: hint)
        }
        var step = FlowStep(
            verb: read(verb, fields) ?? .broken, word: verb.key, offset: verb.offset)
        step.name = fields["name"].flatMap { text($0, "name")?.string }
        step.retry = fields["retry"].flatMap { retry($0) }
        step.timeout = fields["timeout"].flatMap { timeLimit($0, "timeout") }
        return step
    }

    /// Returns a hint about a key that belongs to a task.
    private static func placeHint(for key: String) -> String? {
        FlowKeys.policies[key] != nil ? "it is a key of tasks: put it beside steps" : nil
    }

    /// Returns a hint about a key that other programs have beside a script.
    private static func runHint(for key: String) -> String? {
        switch key {
        case "shell", "script": "write run: { shell: \"bash\", script: \"…\" }"
        case "working-directory", "workingDirectory", "cwd", "dir": "write in: \"folder\""
        default: nil
        }
    }

    private mutating func read(_ verb: FlowMember, _ fields: FlowFields) -> FlowStep.Verb? {
        let node = verb.value
        switch verb.key {
        case "load": return load(node, "load", fields).map { .load($0) }
        case "pages": return pages(node, fields)
        case "use":
            return text(node, "use").map { .use(FlowReference(name: $0.string, offset: node.offset)) }
        case "value": return literal(node).map { .value($0) }
        case "parse":
            let format: FlowFormat? = word("parse", of: fields)
            return format.map { .parse($0) }
        case "select": return query(node, "select").map { .select($0) }
        case "first":
            let standard = fields["default"].map { literal($0) }
            return query(node, "first").map { .first($0, standard: standard ?? nil) }
        case "columns": return columns(node, fields)
        case "transform": return expression(node, "transform").map { .transform($0) }
        case "each": return expression(node, "each").map { .each($0) }
        case "filter": return expression(node, "filter").map { .filter($0) }
        case "grow":
            let form = fields["as"].flatMap { expression($0, "as") }
            return query(node, "grow").map { .grow($0, form: form) }
        case "mask": return expression(node, "mask").map { .mask($0) }
        case "run": return run(node, fields).map { .run($0) }
        case "save": return save(node, fields)
        default: return fileVerb(verb, fields)
        }
    }

    mutating func load(_ node: FlowNode, _ what: String, _ fields: FlowFields) -> FlowLoad? {
        let place = template(node, what)
        var headers: [(name: String, value: FlowTemplate)] = []
        if let node = fields["headers"] {
            for member in members(node, "headers") {
                guard let value = template(member.value, "a header") else { continue }
                if !isHeaderName(member.key) {
                    issues.add(.wrongValue, at: member.offset, "\"\(member.key)\" is no header's name")
                }
                headers.append((member.key, value))
            }
        }
        let method = fields["method"].flatMap { text($0, "method") }
        if let method, !isHeaderName(method.string) {
            issues.add(.wrongValue, at: method.start, "\"\(method.string)\" is no HTTP method")
        }
        let body = fields["body"].flatMap { literal($0) }
        let limit = fields["limit"].flatMap { size($0, "limit") }
        guard let place else { return nil }
        if place.literal == "" { issues.add(.wrongValue, at: node.offset, "there is nothing to load") }
        var load = FlowLoad(place: place, method: method?.string, headers: headers, body: body, limit: limit)
        load.isAnswer = truth("answer", of: fields) ?? false
        return load
    }

    /// Returns whether a text is a token in the sense of HTTP.
    private func isHeaderName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                $0 < 0x80
                    && (Character(Unicode.Scalar($0)).isLetter || Character(Unicode.Scalar($0)).isNumber)
                    || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }

    private mutating func columns(_ node: FlowNode, _ fields: FlowFields) -> FlowStep.Verb? {
        let rows = fields["rows"].flatMap { query($0, "rows") }
        var columns: [FlowColumns.Column] = []
        for member in members(node, "columns") {
            var kind: FlowColumns.Kind?
            var path = member.value
            if case .object = path.value {
                guard let own = self.fields(path, "a column", .column) else { continue }
                kind = word("type", of: own)
                guard let given = own["path"] else {
                    guard own.lacks("path") else { continue }
                    issues.add(.missingKey, at: member.offset, "the column has no path")
                    continue
                }
                path = given
            }
            guard let query = query(path, "a column") else { continue }
            columns.append(FlowColumns.Column(name: member.key, query: query, kind: kind))
        }
        guard case .object(let members) = node.value else { return nil }
        if members.isEmpty { issues.add(.wrongValue, at: node.offset, "there are no columns") }
        return .columns(FlowColumns(columns: columns, rows: rows))
    }

    /// Parses the path of a file, or its folder and its name.
    private mutating func savePlace(_ node: FlowNode) -> FlowTemplate? {
        guard case .object = node.value else { return template(node, "save") }
        guard let fields = fields(node, "save", .place) else { return nil }
        for key in ["in", "name"] where fields.lacks(key) {
            issues.add(.missingKey, at: node.offset, "save has no \"\(key)\"")
        }
        guard let folder = fields["in"].flatMap({ template($0, "in") }),
            let name = fields["name"].flatMap({ template($0, "name") })
        else { return nil }
        for (place, what) in [(folder, "folder"), (name, "name")] where place.literal == "" {
            issues.add(.wrongValue, at: place.offset, "there is no \(what) to save to")
            return nil
        }
        let holdsSlash = name.parts.contains { part in
            if case .text(let text) = part { text.holds("/") } else { false }
        }
        guard !holdsSlash else {
            issues.add(
                .wrongValue, at: name.offset, "name is one name, without \"/\"", hint: "put folders into in")
            return nil
        }
        return FlowTemplate(folder, inside: name)
    }

    private mutating func save(_ node: FlowNode, _ fields: FlowFields) -> FlowStep.Verb? {
        let place = savePlace(node)
        let format: FlowSave.Format? = word("format", of: fields)
        let isPretty = truth("pretty", of: fields) ?? false
        guard let place else { return nil }
        if place.literal == "" { issues.add(.wrongValue, at: node.offset, "there is no path to save to") }
        return .save(FlowSave(place: place, format: format, isPretty: isPretty))
    }
}
