/// The children and attributes of an element by name, using the name numbers of the tree.
struct ChildIndex {
    /// The number of children up to which a linear search is faster than a table.
    private static let few = 12

    private let element: XML.Element
    private let names: NameTable.Index
    private let children: [(name: Int, index: Int)]
    private var table: [Int: [Int]]?
    private var attributes: [String: XML.Attribute]?

    init(_ element: XML.Element, _ names: NameTable.Index) {
        self.element = element
        self.names = names
        let tree = element.tree
        var children: [(name: Int, index: Int)] = []
        let end = tree.end(of: element.index)
        var place = element.index + 1
        while let child = tree.element(from: place, before: end) {
            children.append((tree.nodes[child].name, child))
            place = tree.end(of: child)
        }
        self.children = children
        if children.count > Self.few {
            var table: [Int: [Int]] = [:]
            for child in children { table[child.name, default: []].append(child.index) }
            self.table = table
        }
        let range = tree.attributeRange(of: element.index)
        if range.count > Self.few {
            var table: [String: XML.Attribute] = [:]
            for attribute in element.attributes.reversed() {
                if table[attribute.localName] == nil || attribute.prefix == nil {
                    table[attribute.localName] = attribute
                }
            }
            for attribute in element.attributes where attribute.prefix != nil {
                table[attribute.name] = attribute
            }
            attributes = table
        }
    }

    /// Returns the children with a qualified name, otherwise those with that local name.
    func elements(_ name: String) -> [XML.Element] {
        guard let numbers = names[name] else { return [] }
        let found = elements(numbers.written)
        return found.isEmpty ? elements(numbers.local) : found
    }

    private func elements(_ numbers: [Int]) -> [XML.Element] {
        if numbers.isEmpty { return [] }
        let tree = element.tree
        guard let table else {
            var found: [XML.Element] = []
            for child in children where numbers.contains(child.name) {
                found.append(XML.Element(tree: tree, index: child.index))
            }
            return found
        }
        var found: [Int] = []
        for number in numbers { found += table[number] ?? [] }
        // Names that differ only in their namespaces: restore document order.
        if numbers.count > 1 { found.sort() }
        return found.map { XML.Element(tree: tree, index: $0) }
    }

    /// Returns the attribute with a qualified name, otherwise the one with that local name.
    func attribute(_ name: String) -> XML.Attribute? {
        if let attributes { return attributes[name] }
        guard let numbers = names[name] else { return nil }
        return attribute(numbers.written) ?? attribute(numbers.local)
    }

    private func attribute(_ numbers: [Int]) -> XML.Attribute? {
        if numbers.isEmpty { return nil }
        let tree = element.tree
        let place = tree.attributeRange(of: element.index).first {
            numbers.contains(Int(tree.attributes[$0].name))
        }
        return place.map { XML.Attribute(tree: tree, index: $0) }
    }
}
