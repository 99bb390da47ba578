import SteplineSupport

/// The source of a decoded value.
enum DecodedValue {
    case element(XML.Element)
    /// All elements with one name; a single value uses one of them.
    case list([XML.Element])
    /// The value of an attribute, or a text.
    case text(String, line: Int)
    /// A node of mixed content, identified by its name.
    case choice(XML.Node)
    /// All nodes of mixed content.
    case content([XML.Node])

    var line: Int? {
        switch self {
        case .element(let element): element.line
        case .list(let list): list.first?.line
        case .text(_, let line): line
        case .choice(let node): node.line
        case .content(let nodes): nodes.first?.line
        }
    }

    /// The element, or the first of several.
    var element: XML.Element? {
        switch self {
        case .element(let element): element
        case .list(let list): list.first
        case .choice(let node): node.element
        case .text, .content: nil
        }
    }

    var text: String {
        switch self {
        case .element(let element): element.text
        case .list(let list): list.first?.text ?? ""
        case .text(let text, _): text
        case .choice(let node): node.text
        case .content(let nodes): nodes.map(\.text).joined()
        }
    }

    /// Whether the value is part of mixed content.
    var isPart: Bool {
        switch self {
        case .choice, .content: true
        case .element, .list, .text: false
        }
    }

    /// Whether the element has XML Schema's attribute `nil`.
    var isMarkedNil: Bool {
        let mark = element?.attribute("nil", in: "http://www.w3.org/2001/XMLSchema-instance")
        return mark.flatMap { ScalarText.truth(ScalarText.trimmed($0.value)) } ?? false
    }

    /// Whether the value has no content at all.
    var isBlank: Bool {
        if let element, element.children.first(where: { _ in true }) != nil || !element.attributes.isEmpty {
            return false
        }
        return ScalarText.trimmed(text).isEmpty
    }

    /// Returns the values of a list.
    func items(_ state: DecodingState) -> [DecodedValue] {
        switch self {
        case .list(let list): list.map { .element($0) }
        case .element(let element): element.children.map { .element($0) }
        case .text(let text, let line):
            text.split(whereSeparator: \.isWhitespace).map { .text(String($0), line: line) }
        case .content(let nodes): nodes.map { .choice($0) }
        case .choice(let node): node.element.map { $0.children.map { .element($0) } } ?? []
        }
    }

    /// Returns the nested value for a key.
    func value(_ name: String, _ index: ChildIndex?, _ state: DecodingState) -> DecodedValue? {
        let settings = state.settings
        // An unlabelled associated value of an enum is the element or text itself.
        if name == "_0" { return self }
        if case .choice(let node) = self {
            let own = node.element?.name ?? settings.textKey
            guard name == own || name == node.element?.localName else { return nil }
            return node.element.map { .element($0) } ?? .choice(node)
        }
        guard let element, let index else {
            if case .text = self, name == settings.textKey { return self }
            return nil
        }
        if name == settings.textKey { return .text(element.text, line: element.line) }
        if name == settings.contentKey {
            return .content(element.nodes.filter { [.element, .text, .cdata].contains($0.kind) })
        }
        if name.utf8.contains(UInt8(ascii: "/")) { return Self.walk(name, from: element, index, state.names) }
        if let wrapped = settings.wrappedLists[name], let list = index.elements(name).first {
            return .list(ChildIndex(list, state.names).elements(wrapped))
        }
        return Self.direct(name, of: element, index)
    }

    private static func walk(
        _ path: String, from element: XML.Element, _ index: ChildIndex, _ names: NameTable.Index
    ) -> DecodedValue? {
        var elements = [element]
        let steps = path.pathNames
        for (place, step) in steps.enumerated() {
            if step.hasPrefix("@"), place == steps.count - 1 {
                return elements.first.flatMap {
                    direct(step, of: $0, place == 0 ? index : ChildIndex($0, names))
                }
            }
            elements =
                place == 0 ? index.elements(step) : elements.flatMap { ChildIndex($0, names).elements(step) }
        }
        return elements.isEmpty ? nil : .list(elements)
    }

    private static func direct(_ name: String, of element: XML.Element, _ index: ChildIndex) -> DecodedValue?
    {
        let isAttribute = name.utf8.first == UInt8(ascii: "@")
        if !isAttribute {
            let found = index.elements(name)
            if !found.isEmpty { return .list(found) }
        }
        let plain = isAttribute ? String(name.dropFirst()) : name
        return index.attribute(plain).map { .text($0.value, line: element.line) }
    }

    /// Returns all names that a key may have.
    func names(_ state: DecodingState) -> [String] {
        if case .choice(let node) = self { return [node.element?.name ?? state.settings.textKey] }
        guard let element else { return [] }
        var seen: Set<String> = []
        let all = element.attributes.map(\.name) + element.children.map(\.name)
        return all.filter { seen.insert($0).inserted }
    }
}
