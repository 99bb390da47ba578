/// Fills the flat arrays of a ``TreeStorage`` from parser events.
struct TreeBuilder {
    var nodes: RawBuffer<NodeRecord>
    var attributes: RawBuffer<AttributeRecord>
    var declarations = RawBuffer<NamespaceRecord>(capacity: 16)
    var text: RawBuffer<UInt8>
    var side: RawBuffer<UInt8>
    var names: NameInterner
    /// The innermost open element.
    var current: UInt32 = 0
    /// Whether the next characters continue the last node.
    var isTextOpen = false

    /// Creates a builder; estimates are generous, since untouched memory costs nothing.
    init(root: NodeKind, expecting bytes: Int) {
        nodes = RawBuffer(capacity: bytes / 24)
        attributes = RawBuffer(capacity: bytes / 96)
        text = RawBuffer(capacity: bytes / 2)
        side = RawBuffer(capacity: bytes / 8)
        names = NameInterner()
        start(root)
    }

    private mutating func start(_ root: NodeKind) {
        nodes.append(NodeRecord(root, parent: 0, start: 0, end: 1, line: 0))
    }

    @inline(__always)
    mutating func openElement(name: UInt32, line: Int32) -> UInt32 {
        let index = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(
            NodeRecord(.element, name: name, parent: current, start: attributes.count, end: 0, line: line))
        current = index
        isTextOpen = false
        return index
    }

    @inline(__always)
    mutating func closeElement() {
        guard current != 0 else { return }
        let element = nodes.base + Int(current)
        element.pointee.end = UInt32(truncatingIfNeeded: nodes.count)
        current = element.pointee.parent
        isTextOpen = false
    }

    @inline(__always)
    mutating func addAttribute(name: UInt32, owner: UInt32, value: UnsafePointer<UInt8>, count: Int) {
        let start = UInt32(truncatingIfNeeded: side.count)
        side.append(value, count: count)
        let end = UInt32(truncatingIfNeeded: side.count)
        attributes.append(AttributeRecord(name: name, owner: owner, start: start, end: end))
    }

    /// Appends to the open text or begins one; returns the size of the text.
    @inline(__always)
    mutating func addText(_ start: UnsafePointer<UInt8>, count: Int, line: Int32) -> Int {
        if !isTextOpen {
            isTextOpen = true
            nodes.append(NodeRecord(.text, parent: current, start: text.count, end: text.count, line: line))
        }
        text.append(start, count: count)
        let node = nodes.base + (nodes.count - 1)
        node.pointee.end = UInt32(truncatingIfNeeded: text.count)
        return Int(node.pointee.end &- node.pointee.start)
    }

    /// Adds a CDATA section, or continues the previous one: a push parser reports long ones in pieces.
    ///
    /// Returns its size.
    mutating func addCDATA(_ start: UnsafePointer<UInt8>, count: Int, line: Int32) -> Int {
        isTextOpen = false
        let last = nodes.base + (nodes.count - 1)
        let place = text.count
        text.append(start, count: count)
        if last.pointee.kind == .cdata, last.pointee.parent == current {
            last.pointee.end = UInt32(truncatingIfNeeded: text.count)
            return Int(last.pointee.end &- last.pointee.start)
        }
        nodes.append(NodeRecord(.cdata, parent: current, start: place, end: text.count, line: line))
        return count
    }

    mutating func addAside(
        _ kind: NodeKind, name: UInt32 = 0, _ start: UnsafePointer<UInt8>, count: Int, line: Int32
    ) {
        let place = side.count
        side.append(start, count: count)
        nodes.append(NodeRecord(kind, name: name, parent: current, start: place, end: side.count, line: line))
        isTextOpen = false
    }

    /// Closes all open elements to complete the tree.
    mutating func finish() {
        while current != 0 { closeElement() }
        nodes.base.pointee.end = UInt32(truncatingIfNeeded: nodes.count)
    }

    func destroy() {
        nodes.destroy()
        attributes.destroy()
        declarations.destroy()
        text.destroy()
        side.destroy()
        names.destroy()
    }
}
