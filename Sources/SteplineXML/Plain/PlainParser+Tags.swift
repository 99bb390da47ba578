#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Tags are read completely before they are reported.
extension PlainParser {
    /// A name and the position after it.
    private enum Name {
        case number(Int, Bytes)
        case hungry
        case doubtful
    }

    @inline(__always)
    private mutating func name(at start: Bytes) -> Name {
        let classes = PlainCharacters.classes
        var place = start
        var colon = -1
        guard place < end else { return .hungry }
        if classes[Int(place.pointee)] & PlainCharacters.startsName == 0 {
            guard place.pointee >= 0x80, PlainCharacters.startsName(PlainCharacters.scalar(place)) else {
                return .doubtful
            }
        }
        while place < end {
            let byte = place.pointee
            if classes[Int(byte)] & PlainCharacters.isInName != 0 {
                place += 1
            } else if byte == UInt8(ascii: ":") {
                guard colon < 0 else { return .doubtful }
                colon = place - start
                place += 1
            } else if byte >= 0x80 {
                guard PlainCharacters.isInName(PlainCharacters.scalar(place)) else { return .doubtful }
                place += PlainCharacters.length(byte)
            } else {
                break
            }
        }
        guard place < end else { return .hungry }
        let count = place - start
        guard count <= maximumNameLength, colon + 1 < count,
            let number = names.number(start, count, colon: colon)
        else { return .doubtful }
        return .number(number, place)
    }

    mutating func startTag() -> Step {
        guard state.pointee.failure == nil else { return .doubtful }
        let firstLine = line
        let known = names.entries.count
        let step = readStartTag()
        if step != .done { line = firstLine }
        return names.entries.count == known ? step : withFewNames(step)
    }

    private mutating func readStartTag() -> Step {
        let element: Int
        var place: Bytes
        switch name(at: cursor + 1) {
        case .number(let number, let after): (element, place) = (number, after)
        case .hungry: return cut
        case .doubtful: return .doubtful
        }
        tag &+= 1
        values.truncate(to: 0)
        scratch.truncate(to: 0)
        while true {
            let before = place
            place = skipBlanks(place)
            guard place < end else { return cut }
            let byte = place.pointee
            if byte == UInt8(ascii: ">") {
                return tellTag(element, isEmpty: false, after: place + 1)
            }
            if byte == UInt8(ascii: "/") {
                guard place + 1 < end else { return cut }
                guard place[1] == UInt8(ascii: ">") else { return .doubtful }
                return tellTag(element, isEmpty: true, after: place + 2)
            }
            guard place > before else { return .doubtful }
            switch name(at: place) {
            case .number(let number, let after):
                guard values.count < maximumAttributes, names.isFirst(number, in: tag),
                    let start = skipToValue(after)
                else { return .doubtful }
                guard start < end else { return cut }
                guard let after = value(of: number, at: start) else { return .doubtful }
                guard after <= end else { return cut }
                place = after
            case .hungry: return cut
            case .doubtful: return .doubtful
            }
        }
    }

    @inline(__always)
    private mutating func skipBlanks(_ start: Bytes) -> Bytes {
        var place = start
        while place < end, PlainCharacters.classes[Int(place.pointee)] & PlainCharacters.isBlank != 0 {
            if place.pointee == 10 { line &+= 1 }
            place += 1
        }
        return place
    }

    /// Returns the position after `=` and white space; `end` if it isn't there yet.
    @inline(__always)
    private mutating func skipToValue(_ start: Bytes) -> Bytes? {
        var place = skipBlanks(start)
        guard place < end else { return end }
        guard place.pointee == UInt8(ascii: "=") else { return nil }
        place += 1
        return skipBlanks(place)
    }

    /// Reads a quoted value; returns nil if unsure, and a position beyond `end` if it is incomplete.
    @inline(__always)
    private mutating func value(of name: Int, at start: Bytes) -> Bytes? {
        let quote = start.pointee
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let classes = PlainCharacters.classes
        var place = start + 1
        while place < end, classes[Int(place.pointee)] & PlainCharacters.ordinaryInValue != 0 { place += 1 }
        if place < end, place.pointee == quote {
            values.append(Value(name: name, start: start + 1, count: place - start - 1, offset: -1))
            return place + 1
        }
        return mixedValue(of: name, start + 1, place, quote)
    }

    /// Reads a value with references or line breaks; everything up to `place` is ordinary.
    private mutating func mixedValue(of name: Int, _ start: Bytes, _ place: Bytes, _ quote: UInt8) -> Bytes? {
        var (start, place) = (start, place)
        let offset = scratch.count
        while place < end {
            let byte = place.pointee
            guard PlainCharacters.classes[Int(byte)] & PlainCharacters.ordinaryInValue == 0 else {
                place += 1
                continue
            }
            if byte == quote {
                scratch.append(start, count: place - start)
                values.append(
                    Value(name: name, start: start, count: scratch.count - offset, offset: offset))
                return place + 1
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): place += 1
            case 0xEF:
                guard !isForbidden(place) else { return nil }
                place += 3
            case 9, 10, 13:
                scratch.append(start, count: place - start)
                scratch.append(32)
                if byte == 13 {
                    guard place + 1 < end else { return end + 1 }
                    if place[1] == 10 { place += 1 }
                }
                if place.pointee == 10 { line &+= 1 }
                place += 1
                start = place
            case UInt8(ascii: "&"):
                scratch.append(start, count: place - start)
                switch reference(at: place) {
                case .text(let after): place = after
                case .hungry: return end + 1
                case .doubtful: return nil
                }
                start = place
            default: return nil
            }
        }
        return end + 1
    }

    mutating func endTag() -> Step {
        guard place == .content else { return .doubtful }
        let element = open.base[open.count - 1]
        let entry = names.entries.base[element.name]
        let start = cursor + 2
        guard end - start > entry.count else {
            return isLast || memchr(start, 62, end - start) != nil ? .doubtful : .hungry
        }
        // The dictionary has prefix and local name separately.
        var after = start
        if let prefix = entry.prefix {
            guard memcmp(prefix, start, entry.colon) == 0, start[entry.colon] == UInt8(ascii: ":") else {
                return .doubtful
            }
            after += entry.colon + 1
        }
        let rest = entry.count - (after - start)
        guard memcmp(entry.local, after, rest) == 0 else { return .doubtful }
        after += rest
        let firstLine = line
        let closing = skipBlanks(after)
        guard closing < end, closing.pointee == UInt8(ascii: ">") else {
            line = firstLine
            return isLast || after < end && after.pointee > 32 ? .doubtful : .hungry
        }
        cursor = closing + 1
        tell()
        close()
        return .done
    }

    @inline(__always)
    mutating func close() {
        SAXHandlers.endElement(UnsafeMutableRawPointer(state))
        namespaces.leave(to: open.base[open.count - 1].bindings)
        open.truncate(to: open.count - 1)
        if open.count == 0 { place = .end }
    }
}
