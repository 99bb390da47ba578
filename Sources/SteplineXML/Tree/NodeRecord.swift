/// The kind of a node.
enum NodeKind: UInt32 {
    case document, element, text, cdata, comment, instruction
    /// The root of a batch of records, which aren't siblings.
    case batch
}

/// A node in 20 bytes.
///
/// Nodes are in document order: the first child of an element follows it directly.
struct NodeRecord: BitwiseCopyable {
    /// The kind in the low three bits, the name's number above (elements and instructions).
    var meta: UInt32
    var parent: UInt32
    /// The first attribute of an element; the beginning of the bytes of other nodes.
    var start: UInt32
    /// The node after the last descendant of an element; the end of the bytes of other nodes.
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

/// An attribute; the attributes of an element are adjacent.
struct AttributeRecord: BitwiseCopyable {
    var name: UInt32
    var owner: UInt32
    var start: UInt32
    var end: UInt32
}

/// A namespace declaration: the local name is the prefix, the namespace is the URI.
struct NamespaceRecord: BitwiseCopyable {
    var name: UInt32
    var owner: UInt32
}
