extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    ///
    /// Works on bytes: Foundation's trimming copies the text to UTF-16 first.
    package var withoutOuterBlanks: String {
        let bytes = Substring(self).utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let end = bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return end.map { String(Substring(bytes[...$0])) } ?? ""
    }
}
