/// A tree in six flat memory blocks.
///
/// | block | content |
/// |---|---|
/// | `nodes` | a `NodeRecord` for each node, in document order |
/// | `attributes`, `declarations` | records grouped by element |
/// | `text` | the bytes of all texts in document order, without gaps |
/// | `side` | the bytes of attributes, comments and instructions |
/// | `names` | the distinct names |
///
/// The text content of an element is therefore one slice of `text`. Immutable after `init`, and safe to read on many
/// threads.
final class TreeStorage: @unchecked Sendable {  // immutable after `init`; `queryTree` has a lock
    let nodes: UnsafeMutablePointer<NodeRecord>
    let nodeCount: Int
    let attributes: UnsafeMutablePointer<AttributeRecord>
    let attributeCount: Int
    let declarations: UnsafeMutablePointer<NamespaceRecord>
    let declarationCount: Int
    let text: UnsafeMutablePointer<UInt8>
    let side: UnsafeMutablePointer<UInt8>
    let names: [QualifiedName]
    let nameTable: NameTable
    let info: DocumentInfo
    let problems: [XMLError]
    let queryOperations: Int
    let queryTree = QueryTreeCache()

    /// Takes ownership of the builder's memory.
    init(taking builder: inout TreeBuilder, info: DocumentInfo, problems: [XMLError], queryOperations: Int) {
        nodeCount = builder.nodes.count
        attributeCount = builder.attributes.count
        declarationCount = builder.declarations.count
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
}

extension TreeStorage {
    func string(_ base: UnsafeMutablePointer<UInt8>, _ start: UInt32, _ end: UInt32) -> String {
        String(
            decoding: UnsafeBufferPointer(start: base + Int(start), count: Int(end &- start)), as: UTF8.self)
    }

    /// Returns the bytes of a node that isn't an element.
    func content(_ node: Int) -> UnsafeBufferPointer<UInt8> {
        let record = nodes[node]
        let base = record.kind == .text || record.kind == .cdata ? text : side
        return UnsafeBufferPointer(start: base + Int(record.start), count: Int(record.end &- record.start))
    }

    func contentString(_ node: Int) -> String { String(decoding: content(node), as: UTF8.self) }

    /// Returns the joined texts below an element or document.
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

    /// Returns the namespace declarations of an element itself.
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
