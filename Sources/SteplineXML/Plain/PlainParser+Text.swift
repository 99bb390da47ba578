/// Texts are reporting in pieces as they arrive.
extension PlainParser {
    mutating func text() -> Step {
        let classes = PlainCharacters.classes
        var start = cursor
        var place = cursor
        tell()
        while true {
            while place < end, classes[Int(place.pointee)] & PlainCharacters.ordinary != 0 { place += 1 }
            guard place < end else { return reporting(start, place, .done) }
            switch place.pointee {
            case 10:
                line &+= 1
                place += 1
            case UInt8(ascii: "<"): return reporting(start, place, .done)
            case UInt8(ascii: "]"):
                // `]]>` isn't permitted in a text.
                guard place + 2 < end else {
                    return reporting(start, place, cut)
                }
                if place[1] == UInt8(ascii: "]"), place[2] == UInt8(ascii: ">") {
                    return reporting(start, place, .doubtful)
                }
                place += 1
            case 0xEF:
                guard !isForbidden(place) else { return reporting(start, place, .doubtful) }
                place += 3
            case 13:
                guard place + 1 < end else { return reporting(start, place, cut) }
                _ = reporting(start, place, .done)
                // CR LF and a lone CR both become LF.
                if place[1] != 10 {
                    scratch.truncate(to: 0)
                    scratch.append(10)
                    characters(UnsafePointer(scratch.base), 1)
                }
                place += 1
                start = place
            case UInt8(ascii: "&"):
                _ = reporting(start, place, .done)
                scratch.truncate(to: 0)
                switch reference(at: place) {
                case .text(let after): place = after
                case .hungry: return cut
                case .doubtful: return .doubtful
                }
                characters(UnsafePointer(scratch.base), scratch.count)
                cursor = place
                start = place
            default: return reporting(start, place, .doubtful)
            }
        }
    }

    @inline(__always)
    private mutating func reporting(_ start: Bytes, _ place: Bytes, _ step: Step) -> Step {
        if place > start { characters(start, place - start) }
        cursor = place
        return step
    }

    @inline(__always)
    private func characters(_ start: Bytes, _ count: Int) {
        SAXHandlers.characters(
            UnsafeMutableRawPointer(state), start, Int32(truncatingIfNeeded: count))
    }

    /// Returns whether U+FFFE or U+FFFF begins here, which no document may contain.
    @inline(__always)
    func isForbidden(_ place: Bytes) -> Bool { place[1] == 0xBF && place[2] >= 0xBE }

    enum Reference {
        /// The replacement is in `scratch`; the reference ends at the position.
        case text(Bytes)
        case hungry
        case doubtful
    }

    /// Reads a numeric reference or one of the five predefined ones.
    mutating func reference(at start: Bytes) -> Reference {
        var stop = start + 1
        while stop < end, stop.pointee != UInt8(ascii: ";"), stop - start < 12 { stop += 1 }
        guard stop < end else { return .hungry }
        let count = stop - start - 1
        let name = start + 1
        guard stop.pointee == UInt8(ascii: ";"), count > 1 else { return .doubtful }
        if name[0] == UInt8(ascii: "#") {
            guard let scalar = Self.number(name + 1, count - 1), PlainCharacters.isAllowed(scalar),
                let character = UnicodeScalar(scalar)
            else { return .doubtful }
            for byte in UTF8.encode(character) ?? .init() { scratch.append(byte) }
            return .text(stop + 1)
        }
        guard let byte = Self.named(UnsafeBufferPointer(start: name, count: count)) else { return .doubtful }
        scratch.append(byte)
        return .text(stop + 1)
    }

    private static func named(_ name: UnsafeBufferPointer<UInt8>) -> UInt8? {
        if name.elementsEqual("amp".utf8) { return UInt8(ascii: "&") }
        if name.elementsEqual("lt".utf8) { return UInt8(ascii: "<") }
        if name.elementsEqual("gt".utf8) { return UInt8(ascii: ">") }
        if name.elementsEqual("quot".utf8) { return UInt8(ascii: "\"") }
        if name.elementsEqual("apos".utf8) { return UInt8(ascii: "'") }
        return nil
    }

    /// Parses a decimal number, or a hexadecimal one after `x`; few digits can't overflow.
    private static func number(_ start: Bytes, _ count: Int) -> UInt32? {
        let isHexadecimal = start[0] == UInt8(ascii: "x")
        let first = isHexadecimal ? 1 : 0
        guard count > first, count - first <= 8 else { return nil }
        var number: UInt32 = 0
        for index in first..<count {
            let byte = start[index]
            let digit: UInt8
            switch byte {
            case 48...57: digit = byte - 48
            case 65...70 where isHexadecimal: digit = byte - 55
            case 97...102 where isHexadecimal: digit = byte - 87
            default: return nil
            }
            number = number &* (isHexadecimal ? 16 : 10) &+ UInt32(digit)
        }
        return number
    }
}
