/// A whole tree in six flat blocks of memory.
///
/// Texts lie in document order without gaps, apart from attributes, comments and instructions: the text of a
/// whole element is one slice.
final class TreeStorage: @unchecked Sendable {  // nothing changes after `init`; `queryTree` has its own lock
    let nodes: UnsafeMutablePointer<NodeRecord>
    let nodeCount: Int
    let attributes: UnsafeMutablePointer<AttributeRecord>
    let attributeCount: Int
    let declarations: UnsafeMutablePointer<NamespaceRecord>
    let declarationCount: Int
    let text: UnsafeMutablePointer<UInt8>
    let side: UnsafeMutablePointer<UInt8>
    let byteCount: Int
    let names: [QualifiedName]
    let nameTable: NameTable
    let info: DocumentInfo
    let problems: [XMLError]
    let queryOperations: Int
    let queryTree = QueryTreeCache()

    /// Takes over the builder's memory.
    init(taking builder: inout TreeBuilder, info: DocumentInfo, problems: [XMLError], queryOperations: Int) {
        nodeCount = builder.nodes.count
        attributeCount = builder.attributes.count
        declarationCount = builder.declarations.count
        byteCount = builder.text.count + builder.side.count
        nodes = builder.nodes.taken()
        attributes = builder.attributes.taken()
        declarations = builder.declarations.taken()
        text = builder.text.taken()
        side = builder.side.taken()
        nameTable = builder.names.snapshot()
        names = nameTable.names
        self.info = info
        self.problems = problems
        self.queryOperations = queryOperations
    }

    deinit {
        RawBuffer.destroy(nodes)
        RawBuffer.destroy(attributes)
        RawBuffer.destroy(declarations)
        RawBuffer.destroy(text)
        RawBuffer.destroy(side)
    }

    /// The memory that the tree holds, in bytes.
    var memory: Int {
        nodeCount * MemoryLayout<NodeRecord>.stride + attributeCount * MemoryLayout<AttributeRecord>.stride
            + declarationCount * MemoryLayout<NamespaceRecord>.stride + byteCount
    }
}

extension TreeStorage {
    func string(_ base: UnsafeMutablePointer<UInt8>, _ start: UInt32, _ end: UInt32) -> String {
        String(
            decoding: UnsafeBufferPointer(start: base + Int(start), count: Int(end &- start)), as: UTF8.self)
    }

    /// The bytes of a node that isn't an element.
    func content(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        let record = nodes[node]
        let base = record.kind == .text || record.kind == .cdata ? text : side
        return UnsafeBufferPointer(start: base + Int(record.start), count: Int(record.end &- record.start))
    }

    func contentString(_ node: Int) -> String { String(decoding: content(node), as: UTF8.self) }

    /// The texts below an element (or document), all in one.
    func textBytes(below element: Int) -> UnsafeBufferPointer<UInt8> {
        let end = Int(nodes[element].end)
        var first = element + 1
        while first < end, !isText(first) { first += 1 }
        guard first < end else { return UnsafeBufferPointer(start: text, count: 0) }
        var last = end - 1
        while !isText(last) { last -= 1 }
        let start = nodes[first].start
        return UnsafeBufferPointer(start: text + Int(start), count: Int(nodes[last].end &- start))
    }

    @inline(__always)
    func isText(_ node: Int) -> Bool {
        let kind = nodes[node].kind
        return kind == .text || kind == .cdata
    }

    func attributeRange(of element: Int) -> Range<Int> {
        let first = Int(nodes[element].start)
        var end = first
        while end < attributeCount, attributes[end].owner == UInt32(element) { end += 1 }
        return first..<end
    }

    func attributeValue(_ attribute: Int) -> String {
        string(side, attributes[attribute].start, attributes[attribute].end)
    }

    /// The declarations that stand on an element itself.
    func declarationRange(of element: Int) -> Range<Int> {
        var low = 0
        var high = declarationCount
        while low < high {
            let middle = (low + high) / 2
            if declarations[middle].owner < UInt32(element) { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < declarationCount, declarations[end].owner == UInt32(element) { end += 1 }
        return low..<end
    }
}

/// By identity, so that handles of nodes are equal if they are the same node of the same document.
extension TreeStorage: Hashable {
    static func == (left: TreeStorage, right: TreeStorage) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
