/// Reads scalars as XML Schema writes them.
enum ScalarText {
    /// The value, the blanks around it left out; truths may be `1` and `0` too.
    static func value<T: LosslessStringConvertible>(_ text: String) -> T? {
        let trimmed = trimmed(text)
        if T.self == Bool.self { return truth(trimmed) as? T }
        if T.self == String.self { return text as? T }
        return T(trimmed) ?? (trimmed.hasPrefix("+") ? T(String(trimmed.dropFirst())) : nil)
    }

    static func truth(_ text: String) -> Bool? {
        switch text {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// The text without XML's four kinds of blanks around it.
    static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 10 || $0 == 13 || $0 == 9 }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return first == bytes.startIndex && bytes.index(after: last) == bytes.endIndex
            ? text : String(text[first...last])
    }
}
