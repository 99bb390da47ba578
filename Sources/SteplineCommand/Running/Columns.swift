/// Fits text into columns of a terminal.
enum Columns {
    /// How many columns a text takes.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// The text in exactly so many columns: cut in its middle, or filled up with blanks.
    static func fitted(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
        let cut = cut(text, to: columns, ellipsis: ellipsis)
        return cut + String(repeating: " ", count: max(columns - width(cut), 0))
    }

    /// The text in at most so many columns: what is too much goes from its middle.
    static func cut(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
        guard width(text) > columns else { return text }
        let room = columns - width(ellipsis)
        guard room > 0 else { return String(repeating: ".", count: max(columns, 0)) }
        let head = prefix(text, room / 2 + room % 2)
        let tail = String(prefix(String(text.reversed()), room / 2).reversed())
        return head + ellipsis + tail
    }

    private static func prefix(_ text: String, _ columns: Int) -> String {
        var taken = ""
        var used = 0
        for character in text {
            used += width(character)
            if used > columns { break }
            taken.append(character)
        }
        return taken
    }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.isASCII { return 1 }
        switch scalar.value {
        // What East Asian scripts and pictures take.
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}
