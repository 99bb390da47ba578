/// Decides at each start tag outside a record whether a record begins.
struct RecordMatcher {
    private let path: RecordPath
    /// For each name's number a bit mask of the matching steps; all ones if not computed yet.
    private var masks: [UInt64] = []
    /// The bit masks of the open elements outside records, and of the record's element.
    private var open: [UInt64] = []
    /// The depth of the open record's element.
    var recordDepth = 0
    /// The sizes of the arrays at the begin of the open record.
    var mark = TreeBuilder.Mark()
    /// The first nodes of the complete records in the current batch.
    var finished: [Int] = []

    /// The namespaces declared outside records, innermost last.
    private var scope: [Binding] = [] {
        didSet { effective = nil }
    }
    /// The visible namespaces of `scope`, cached while it doesn't change.
    private var effective: [Binding]?

    /// A namespace declaration; equal prefixes have equal addresses.
    struct Binding {
        let depth: Int
        let prefix: UnsafePointer<UInt8>?
        let namespace: UnsafePointer<UInt8>?
    }

    init(_ path: RecordPath) { self.path = path }

    mutating func declare(_ pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int, depth: Int) {
        guard let pairs, count > 0 else { return }
        for index in 0..<count {
            scope.append(Binding(depth: depth, prefix: pairs[2 * index], namespace: pairs[2 * index + 1]))
        }
    }

    /// Returns the inherited namespaces that a record doesn't redeclare.
    mutating func inherited(
        apart own: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int
    ) -> [Binding] {
        let visible = effective ?? Self.visible(scope)
        effective = visible
        guard count > 0, let own else { return visible }
        return visible.filter { binding in !(0..<count).contains { own[2 * $0] == binding.prefix } }
    }

    private static func visible(_ scope: [Binding]) -> [Binding] {
        var seen: Set<UnsafePointer<UInt8>?> = []
        return scope.reversed().filter { seen.insert($0.prefix).inserted }
    }

    private static let unknown = UInt64.max

    mutating func push(_ number: Int, _ name: (Int) -> QualifiedName) -> Bool {
        while masks.count <= number { masks.append(Self.unknown) }
        if masks[number] == Self.unknown {
            let candidate = name(number)
            masks[number] = path.steps.enumerated().reduce(0) {
                $1.element.matches(candidate) ? $0 | 1 << $1.offset : $0
            }
        }
        open.append(masks[number])
        return isRecord
    }

    mutating func pop(to depth: Int) {
        _ = open.popLast()
        guard let last = scope.last, last.depth > depth else { return }
        scope.removeAll { $0.depth > depth }
    }

    mutating func forgetNames() { masks = [] }

    private var isRecord: Bool {
        let count = path.steps.count
        guard count > 0, open.count >= count, !path.isAbsolute || open.count == count else { return false }
        for step in 0..<count where open[open.count - count + step] & (1 << step) == 0 { return false }
        return true
    }
}

extension ParserState {
    /// Handles a start tag outside records; returns true if a record begins.
    mutating func entersRecord(
        _ local: UnsafePointer<UInt8>?, _ prefix: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?
    ) -> Bool {
        let number = builder.names.number(local, prefix, namespace)
        guard records.push(Int(number), { builder.names.names[$0] }) else { return false }
        records.recordDepth = depth
        records.mark = builder.mark
        isKeeping = true
        return true
    }

    /// Handles an end tag inside or outside a record.
    @inline(__always)
    mutating func leaveElement() {
        depth -= 1
        guard isKeeping else { return records.pop(to: depth) }
        let element = builder.current
        builder.closeElement()
        guard depth < records.recordDepth else { return }
        isKeeping = false
        records.pop(to: depth)
        records.finished.append(Int(element))
    }
}
