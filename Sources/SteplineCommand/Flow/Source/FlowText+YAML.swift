import CYAML

/// Finds the parts of a YAML scalar in the file, for errors in expressions.
///
/// libyaml reports only a scalar's beginning and end. Text and file are walked side by side: an escape is one character
/// of the text, and a line break with its indentation is a blank or line breaks.
extension FlowText {
    /// Creates the text of a scalar that the file has in a range, without anchor and tag.
    init(yaml string: String, _ style: cyaml_style, in bytes: [UInt8], _ range: Range<Int>) {
        var walk = Walk(
            text: Array(string.utf8), bytes: bytes, offset: range.lowerBound, end: range.upperBound)
        if style == CYAML_BLOCK { walk.lines() } else { walk.characters(style) }
        self.init(string, start: walk.start, marks: walk.marks)
    }

    private struct Walk {
        let text: [UInt8]
        let bytes: [UInt8]
        var offset: Int
        let end: Int
        var position = 0
        /// The offset of the text's beginning.
        var start: Int
        var marks: [(text: Int, file: Int)] = []

        init(text: [UInt8], bytes: [UInt8], offset: Int, end: Int) {
            self.text = text
            self.bytes = bytes
            self.offset = offset
            self.end = min(end, bytes.count)
            start = offset
        }

        private func isBreak(_ byte: UInt8) -> Bool { FlowSource.isBreak(byte) }

        private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || isBreak(byte) }

        /// Walks through a block scalar, behind its header.
        mutating func lines() {
            while offset < end, !isBreak(bytes[offset]) { offset += 1 }
            while true {
                // Blanks at the ends of lines are kept, folded or chomped: skip them all.
                while offset < end, isBlank(bytes[offset]) { offset += 1 }
                while position < text.count, isBlank(text[position]) { position += 1 }
                guard offset < end, position < text.count else { return }
                if marks.isEmpty { start = offset - position }
                marks.append((position, offset))
                let line = offset
                while offset < end, !isBreak(bytes[offset]) { offset += 1 }
                while offset > line, isBlank(bytes[offset - 1]) { offset -= 1 }
                position += offset - line
            }
        }

        /// Walks through a plain or quoted scalar.
        mutating func characters(_ style: cyaml_style) {
            if style != CYAML_PLAIN { offset += 1 }
            start = offset
            while offset < end, position < text.count {
                switch bytes[offset] {
                case 0x09, 0x0A, 0x0D, 0x20: fold()
                case UInt8(ascii: "\\") where style == CYAML_DOUBLE_QUOTED: escape()
                case UInt8(ascii: "'") where style == CYAML_SINGLE_QUOTED:
                    offset += 2
                    position += 1
                    marks.append((position, offset))
                default:
                    offset += 1
                    position += 1
                }
            }
        }

        /// Skips blanks; those with a line break are one blank, or a line break fewer.
        private mutating func fold(isEscaped: Bool = false) {
            let first = offset
            var breaks = 0
            while offset < end, isBlank(bytes[offset]) {
                // A pair of CR and LF counts once.
                let isPair = bytes[offset] == 0x0A && offset > first && bytes[offset - 1] == 0x0D
                if isBreak(bytes[offset]), !isPair { breaks += 1 }
                offset += 1
            }
            guard breaks > 0 else {
                position += offset - first
                return
            }
            position += breaks == 1 && !isEscaped ? 1 : breaks - 1
            marks.append((position, offset))
        }

        private mutating func escape() {
            offset += 1
            guard offset < end else { return }
            if isBreak(bytes[offset]) { return fold(isEscaped: true) }
            let digits =
                switch bytes[offset] {
                case UInt8(ascii: "x"): 2
                case UInt8(ascii: "u"): 4
                case UInt8(ascii: "U"): 8
                default: 0
                }
            offset += 1 + digits
            position += 1
            while position < text.count, !FlowSource.beginsCharacter(text[position]) { position += 1 }
            marks.append((position, offset))
        }
    }
}
