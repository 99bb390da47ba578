/// What a node is.
enum NodeKind: UInt32 {
    case document, element, text, cdata, comment, instruction
    /// The root of a batch of records: no node of it is another's sibling.
    case batch
}

/// One node, in 20 bytes.
///
/// Nodes lie in document order, so an element's first child is its neighbour.
struct NodeRecord: BitwiseCopyable {
    /// The kind in the low three bits, above it the name's number (elements and processing instructions).
    var meta: UInt32
    var parent: UInt32
    /// For an element its first attribute, for others where their bytes start.
    var start: UInt32
    /// For an element the node after its last descendant, for others where their bytes end.
    var end: UInt32
    var line: UInt32

    @inline(__always)
    init(_ kind: NodeKind, name: UInt32 = 0, parent: UInt32, start: Int, end: Int, line: Int32) {
        meta = kind.rawValue | name << 3
        self.parent = parent
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.line = UInt32(truncatingIfNeeded: line)
    }

    @inline(__always)
    var kind: NodeKind { NodeKind(rawValue: meta & 7) ?? .text }

    @inline(__always)
    var name: Int { Int(meta >> 3) }

    @inline(__always)
    var hasChildren: Bool { kind == .element || kind == .document || kind == .batch }
}

/// One attribute; those of an element lie side by side.
struct AttributeRecord: BitwiseCopyable {
    var name: UInt32
    var owner: UInt32
    var start: UInt32
    var end: UInt32
}

/// One namespace declaration: the name's local part is the prefix, its namespace the URI.
struct NamespaceRecord: BitwiseCopyable {
    var name: UInt32
    var owner: UInt32
}
