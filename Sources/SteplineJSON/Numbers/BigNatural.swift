/// A natural number of any size, with the operations that ``PowersOfFive`` needs.
struct BigNatural {
    /// The digits in base 2^32, least significant first, without zeros at the end.
    private var limbs: [UInt32]

    init(_ value: UInt32) { limbs = [value] }

    var bitCount: Int { limbs.count * 32 - (limbs.last?.leadingZeroBitCount ?? 0) }

    mutating func multiply(by factor: UInt32) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = UInt64(limbs[index]) * UInt64(factor) + carry
            limbs[index] = UInt32(truncatingIfNeeded: product)
            carry = product >> 32
        }
        if carry > 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
    }

    private func bit(_ position: Int) -> Bool {
        position >= 0 && limbs[position / 32] >> UInt32(position % 32) & 1 == 1
    }

    /// The 128 most significant bits, the first of them set.
    var top128: (high: UInt64, low: UInt64) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for position in stride(from: bitCount - 1, through: bitCount - 128, by: -1) {
            high = high << 1 | low >> 63
            low = low << 1 | (bit(position) ? 1 : 0)
        }
        return (high, low)
    }

    /// The first 128 significant bits of the reciprocal.
    var reciprocal128: (high: UInt64, low: UInt64) {
        // Long division of 1 by the number, bit by bit.
        var remainder = BigNatural(1)
        var high: UInt64 = 0
        var low: UInt64 = 0
        var started = false
        while high >> 63 == 0 {
            let isAtLeast = !remainder.isLess(than: self)
            if isAtLeast { remainder.subtract(self) }
            started = started || isAtLeast
            if started {
                high = high << 1 | low >> 63
                low = low << 1 | (isAtLeast ? 1 : 0)
            }
            remainder.multiply(by: 2)
        }
        return (high, low)
    }

    private func isLess(than other: BigNatural) -> Bool {
        if limbs.count != other.limbs.count { return limbs.count < other.limbs.count }
        for index in limbs.indices.reversed() where limbs[index] != other.limbs[index] {
            return limbs[index] < other.limbs[index]
        }
        return false
    }

    private mutating func subtract(_ other: BigNatural) {
        var borrow: Int64 = 0
        for index in limbs.indices {
            let part = index < other.limbs.count ? Int64(other.limbs[index]) : 0
            let difference = Int64(limbs[index]) - part - borrow
            limbs[index] = UInt32(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        while limbs.count > 1, limbs.last == 0 { limbs.removeLast() }
    }
}
