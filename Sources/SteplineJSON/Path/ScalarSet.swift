/// A set of characters, as defined by a pattern.
struct ScalarSet: Sendable {
    enum Part: Sendable {
        case range(ClosedRange<UInt32>)
        case categories(ScalarCategories)
    }

    /// The sorted ranges; no two of them touch or overlap.
    private let ranges: [ClosedRange<UInt32>]
    private let categories: ScalarCategories
    private let isNegated: Bool
    /// The bitmap of the ASCII characters in the set.
    private let ascii: (UInt64, UInt64)

    /// The set of all characters except line ends.
    static let dot = ScalarSet([.range(0x0A...0x0A), .range(0x0D...0x0D)], isNegated: true)

    init(_ parts: [Part], isNegated: Bool = false) {
        var ranges: [ClosedRange<UInt32>] = []
        var categories = ScalarCategories()
        for part in parts {
            switch part {
            case .range(let range): ranges.append(range)
            case .categories(let some): categories.formUnion(some)
            }
        }
        self.ranges = ScalarSet.merged(ranges)
        self.categories = categories
        self.isNegated = isNegated
        var ascii: (UInt64, UInt64) = (0, 0)
        for value in UInt32(0)..<128 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isIn = ScalarSet.contains(scalar, self.ranges, categories) != isNegated
            if value < 64 {
                ascii.0 |= (isIn ? 1 : 0) << UInt64(value)
            } else {
                ascii.1 |= (isIn ? 1 : 0) << UInt64(value - 64)
            }
        }
        self.ascii = ascii
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 64 { return ascii.0 >> UInt64(value) & 1 == 1 }
        if value < 128 { return ascii.1 >> UInt64(value - 64) & 1 == 1 }
        return ScalarSet.contains(scalar, ranges, categories) != isNegated
    }

    private static func contains(
        _ scalar: Unicode.Scalar, _ ranges: [ClosedRange<UInt32>], _ categories: ScalarCategories
    ) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar.value {
                low = middle + 1
            } else {
                high = middle
            }
        }
        if low < ranges.count, ranges[low].contains(scalar.value) { return true }
        return !categories.isEmpty && categories.contains(ScalarCategories(of: scalar))
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
