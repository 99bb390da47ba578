extension FlowReader {
    mutating func network(_ node: FlowNode) -> FlowNetwork? {
        guard let fields = fields(node, "network", .network) else { return nil }
        var network = FlowNetwork()
        if let node = fields["cookies"] {
            if case .bool(true) = node.value {
                network.cookies = .ofRun
            } else if case .text = node.value {
                network.cookies = path(node, "cookies").map { .file($0) }
            } else {
                wrong(node, "cookies is a path, or true for cookies that end with the run")
            }
        }
        network.cache = fields["cache"].flatMap { path($0, "cache") }
        network.authorities = fields["cacert"].flatMap { path($0, "cacert") }
        network.certificate = fields["cert"].flatMap { path($0, "cert") }
        network.key = fields["certKey"].flatMap { path($0, "certKey") }
        network.rate = number("rate", of: fields)
        network.connections = integer("connections", of: fields)
        network.minimumVersion = word("tls", of: fields)
        return network
    }

    private mutating func path(_ node: FlowNode, _ what: String) -> FlowPath? {
        guard let text = text(node, what) else { return nil }
        guard !text.string.isEmpty else {
            issues.add(.wrongValue, at: node.offset, "\(what) is empty")
            return nil
        }
        return FlowPath(path: text.string, offset: node.offset)
    }

    mutating func pages(_ node: FlowNode, _ fields: FlowFields) -> FlowStep.Verb? {
        let load = load(node, "pages", fields)
        let next = fields["next"].flatMap { nextPlace($0) } ?? .link
        let records = fields["records"].flatMap { pageQuery($0, "records") }
        let most = integer("most", of: fields)
        return load.map { .pages(FlowPages(load: $0, next: next, records: records, most: most)) }
    }

    /// Parses a query for a page.
    private mutating func pageQuery(_ node: FlowNode, _ what: String) -> FlowQuery? {
        guard let query = query(node, what) else { return nil }
        if case .json = query.language { return query }
        issues.add(.query, at: query.offset, "pages are JSON: a JSONPath begins with $")
        return nil
    }

    private mutating func pageParameter(_ node: FlowNode) -> FlowPages.Next? {
        guard let fields = fields(node, "next", .next) else { return nil }
        let place = fields["at"].flatMap { pageQuery($0, "at") }
        let more = fields["more"].flatMap { pageQuery($0, "more") }
        let from = integer("from", of: fields) ?? 1
        let step = integer("step", of: fields) ?? 1
        if fields["at"] != nil,
            let stray = fields.members.first(where: { ["from", "step"].contains($0.key) })
        {
            issues.add(
                .wrongValue, at: stray.offset, "\"\(stray.key)\" counts pages, and \"at\" finds the next")
        }
        guard let given = fields["parameter"] else {
            guard fields.lacks("parameter") else { return nil }
            issues.add(.missingKey, at: node.offset, "next wants the name of a parameter, or is a text")
            return nil
        }
        guard let name = text(given, "parameter")?.string else { return nil }
        guard !name.isEmpty else {
            issues.add(.wrongValue, at: given.offset, "parameter is empty")
            return nil
        }
        return .parameter(
            FlowPageParameter(
                name: name, value: place.map { .found($0) } ?? .counted(from: from, step: step), more: more))
    }

    private mutating func nextPlace(_ node: FlowNode) -> FlowPages.Next? {
        if case .object = node.value { return pageParameter(node) }
        guard let text = text(node, "next"), text.string != "link" else { return nil }
        guard text.string.hasPrefix("$") else {
            issues.add(
                .wrongValue, at: node.offset,
                "next is \"link\" for the header, or a JSONPath, not \"\(text.string)\"")
            return nil
        }
        return query(node, "next").map { .found($0) }
    }
}
