/// A digest of a part of a workflow file, equal in every process.
///
/// Layout, comments and the order of keys don't affect it, except where the order of keys is that of results.
struct FlowMeaning {
    /// The keys whose members are in order: columns of a table, and lists whose combinations a map runs for.
    private static let ordered: Set = ["columns", "map"]

    // FNV-1a, since `Hasher` has a random seed in each process.
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    var value: UInt64 { hash }

    mutating func add(_ number: UInt64) {
        for byte in 0..<UInt64(8) { add(byte: UInt8(truncatingIfNeeded: number >> (byte * 8))) }
    }

    /// Adds a node; the given keys of an object are ignored.
    mutating func add(_ node: FlowNode, without left: Set<String> = [], inOrder: Bool = false) {
        switch node.value {
        case .null: add(0)
        case .bool(let truth): add(truth ? 1 : 2)
        case .number(let literal):
            add(3)
            add(literal)
        case .text(let text):
            add(4)
            add(text.string)
        case .list(let nodes):
            add(5)
            add(UInt64(nodes.count))
            for node in nodes { add(node) }
        case .object(let members):
            add(6)
            let counted = members.filter { !left.contains($0.key) }
            add(UInt64(counted.count))
            for member in inOrder ? counted : counted.sorted(by: { $0.key < $1.key }) {
                add(member.key)
                add(member.value, inOrder: Self.ordered.contains(member.key))
            }
        }
    }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte: byte) }
    }

    private mutating func add(byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
