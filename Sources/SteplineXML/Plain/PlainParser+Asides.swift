/// CDATA sections, comments and instructions, reported as a whole, and the declaration.
extension PlainParser {
    mutating func cdata() -> Step {
        verbatim(after: 9, until: UInt8(ascii: "]"), UInt8(ascii: "]")) { parser, start, count in
            SAXHandlers.cdata(
                UnsafeMutableRawPointer(parser.state), start, Int32(truncatingIfNeeded: count))
        }
    }

    mutating func comment() -> Step {
        verbatim(after: 4, until: UInt8(ascii: "-"), UInt8(ascii: "-")) { parser, start, count in
            SAXHandlers.comment(parser.state, start, count)
        }
    }

    mutating func instruction() -> Step {
        let start = cursor + 2
        var stop = start
        while stop < end, PlainCharacters.classes[Int(stop.pointee)] & PlainCharacters.isInName != 0 {
            stop += 1
        }
        guard stop + 1 < end else { return cut }
        let count = stop - start
        let isXML =
            count == 3 && start[0] | 32 == UInt8(ascii: "x") && start[1] | 32 == UInt8(ascii: "m")
            && start[2] | 32 == UInt8(ascii: "l")
        guard count > 0, count <= maximumNameLength, !isXML,
            PlainCharacters.classes[Int(start[0])] & PlainCharacters.startsName != 0,
            let target = names.keep(start, count)
        else { return .doubtful }
        if stop[0] == UInt8(ascii: "?"), stop[1] == UInt8(ascii: ">") {
            tell()
            SAXHandlers.instruction(state, target, target, 0)
            cursor = stop + 2
            return withFewNames(.done)
        }
        guard PlainCharacters.classes[Int(stop.pointee)] & PlainCharacters.isBlank != 0 else {
            return .doubtful
        }
        while stop < end, stop.pointee == 32 { stop += 1 }
        // Other white space is rare here.
        guard stop < end else { return cut }
        guard PlainCharacters.classes[Int(stop.pointee)] & PlainCharacters.isBlank == 0 else {
            return .doubtful
        }
        let step = verbatim(after: stop - cursor, until: UInt8(ascii: "?"), nil) { parser, start, count in
            SAXHandlers.instruction(parser.state, target, start, count)
        }
        return step == .done ? withFewNames(step) : step
    }

    /// Returns the step unless there are too many names; the limit stops the parser here.
    func withFewNames(_ step: Step) -> Step {
        guard names.dictionarySize > maximumNames else { return step }
        state.pointee.failOnNames()
        return .doubtful
    }

    /// Reads verbatim text up to `first`, `second` and `>`; for a comment `second` alone already ends it.
    @inline(__always)
    private mutating func verbatim(
        after: Int, until first: UInt8, _ second: UInt8?, _ body: (PlainParser, Bytes, Int) -> Void
    ) -> Step {
        let firstLine = line
        var start = cursor + after
        var place = start
        var hasReturns = false
        while place < end {
            let byte = place.pointee
            if byte == first {
                guard place + 2 < end || (second == nil && place + 1 < end) else { break }
                let isPair = second == nil || place[1] == second
                let last = second == nil ? place[1] : place[2]
                if isPair, last == UInt8(ascii: ">") {
                    tell()
                    if hasReturns {
                        scratch.append(start, count: place - start)
                        body(self, UnsafePointer(scratch.base), scratch.count)
                    } else {
                        body(self, start, place - start)
                    }
                    cursor = place + (second == nil ? 2 : 3)
                    return .done
                }
                if isPair, first == UInt8(ascii: "-") { return doubt(firstLine) }
                place += 1
            } else if byte >= 32, byte != 0xEF {
                place += 1
            } else if byte == 0xEF {
                guard !isForbidden(place) else { return doubt(firstLine) }
                place += 3
            } else if byte == 10 {
                line &+= 1
                place += 1
            } else if byte == 9 {
                place += 1
            } else if byte == 13 {
                guard place + 1 < end else { break }
                if !hasReturns { scratch.truncate(to: 0) }
                hasReturns = true
                scratch.append(start, count: place - start)
                // CR LF and a lone CR both become LF.
                if place[1] != 10 { scratch.append(10) }
                place += 1
                start = place
            } else {
                return doubt(firstLine)
            }
        }
        line = firstLine
        return cut
    }

    private mutating func doubt(_ firstLine: Int32) -> Step {
        line = firstLine
        return .doubtful
    }

    /// Reads the XML declaration in its usual form.
    mutating func declaration() -> Step {
        let word: StaticString = "<?xml"
        for index in 0..<5 {
            guard cursor + index < end else { return cut }
            guard cursor[index] == word.utf8Start[index] else {
                state.pointee.info.version = "1.0"
                return .done
            }
        }
        var stop = cursor + 5
        while stop < end, stop.pointee != UInt8(ascii: ">"), stop - cursor < 256 { stop += 1 }
        guard stop < end else { return cut }
        guard stop.pointee == UInt8(ascii: ">"),
            let declaration = PlainDeclaration(UnsafeBufferPointer(start: cursor, count: stop - cursor))
        else { return .doubtful }
        state.pointee.info.version = "1.0"
        state.pointee.info.isStandalone = declaration.isStandalone
        cursor = stop + 1
        return .done
    }
}
