/// Measures and truncates text in columns of a terminal.
enum Columns {
    /// Returns the number of columns of a text.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Returns the longest prefix of at most `columns` columns.
    static func prefix(_ text: String, _ columns: Int) -> String {
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
        // East Asian characters and emoji.
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}
