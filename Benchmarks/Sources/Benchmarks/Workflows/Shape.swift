/// The graphs that are measured: a task is a number, and names its prerequisites, which have lower ones.
enum Shape: String, CaseIterable {
    case independent, chain, tree, wavefront, diamonds, layered

    /// Calls `add` once for each of about `count` tasks, in order, with its prerequisites.
    func build(_ count: Int, _ add: (_ index: Int, _ prerequisites: [Int]) -> Void) {
        switch self {
        case .independent:
            for index in 0..<count { add(index, []) }
        case .chain:
            for index in 0..<count { add(index, index == 0 ? [] : [index - 1]) }
        case .tree:
            for index in 0..<count { add(index, index == 0 ? [] : [(index - 1) / 2]) }
        case .wavefront:
            let width = Int(Double(count).squareRoot())
            for index in 0..<width * width {
                let (row, column) = index.quotientAndRemainder(dividingBy: width)
                add(index, (row > 0 ? [index - width] : []) + (column > 0 ? [index - 1] : []))
            }
        case .diamonds:
            for index in 0..<count {
                switch index % 4 {
                case 0: add(index, index == 0 ? [] : [index - 1])
                case 1: add(index, [index - 1])
                case 2: add(index, [index - 2])
                default: add(index, [index - 1, index - 2])
                }
            }
        case .layered:
            // Layers of a thousand; each task has three prerequisites, at random, in the layer before.
            var random = SplitMix(state: 42)
            let width = 1000
            for index in 0..<count {
                let start = (index / width - 1) * width
                let prerequisites =
                    start < 0 ? [] : (0..<3).map { _ in start + Int(random.next() % UInt64(width)) }
                add(index, prerequisites)
            }
        }
    }
}

/// A small generator, the same in every run and in the C++ rival.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// A shape written out, so that making it doesn't count.
struct Graph {
    private var starts: [Int] = [0]
    private var all: [Int] = []

    init(_ shape: Shape, _ count: Int) {
        shape.build(count) { _, prerequisites in
            all += prerequisites
            starts.append(all.count)
        }
    }

    var count: Int { starts.count - 1 }

    func prerequisites(of index: Int) -> ArraySlice<Int> { all[starts[index]..<starts[index + 1]] }
}
