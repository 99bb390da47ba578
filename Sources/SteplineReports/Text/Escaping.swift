import SteplineSupport

/// Names as they may be written into each format: whatever they contain, they stay text.
enum Escaping {
    /// For text and attributes of XML, HTML and SVG.
    ///
    /// What no XML document may contain becomes a replacement character; so do the marks that turn the direction
    /// of what follows.
    static func xml(_ text: String) -> String {
        text.rewriting { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: isSafe(scalar) ? nil : "\u{FFFD}"
            }
        }
    }

    /// For a quoted string of DOT.
    static func dot(_ text: String) -> String {
        text.rewriting { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n", "\r": "\\n"
            // A quoted label reads entities.
            case "&": "&amp;"
            default: isSafe(scalar) ? nil : "\u{FFFD}"
            }
        }
    }

    /// For a quoted label of Mermaid, which is read as Markdown, and where entities begin with a number sign.
    static func mermaid(_ text: String) -> String {
        let label = text.rewriting { scalar in
            switch scalar {
            case "\"", "#", "<", ">", "&", "`", "\\", ";", "%", "[", "]", "{", "}", "(", ")", "|":
                "#\(scalar.value);"
            case "*", "_", "~": "#\(scalar.value);"
            case "\n", "\r", "\t": " "
            default: isSafe(scalar) ? nil : "\u{FFFD}"
            }
        }
        // Of what would be a list, Mermaid shows nothing but that it can't.
        let start = label.drop { $0 == " " }
        let mark = start.drop { $0.isASCII && $0.isNumber }
        let isNumbered = mark.startIndex > start.startIndex
        switch mark.first {
        case "."? where isNumbered: return "\(label[..<mark.startIndex])#46;\(mark.dropFirst())"
        case "-"? where !isNumbered: return "\(label[..<mark.startIndex])#45;\(mark.dropFirst())"
        case "+"? where !isNumbered: return "\(label[..<mark.startIndex])#43;\(mark.dropFirst())"
        default: return label
        }
    }

    /// For a string of JSON.
    static func json(_ text: String) -> String {
        text.rewriting { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            // So that the text may stand in a page's script, too.
            case "<": "\\u003c"
            default: scalar.value < 0x20 || scalar.value == 0x7F ? hexadecimal(scalar) : nil
            }
        }
    }

    /// For a string of JSON within an element of a page, which nothing in it can end; as it may be shown.
    static func pageData(_ text: String) -> String {
        text.rewriting { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case "<", ">", "&", "\u{2028}", "\u{2029}": hexadecimal(scalar)
            default: isSafe(scalar) ? nil : "\u{FFFD}"
            }
        }
    }

    /// The text with a replacement character for each that no page may show.
    static func visible(_ text: String) -> String { text.rewriting { isSafe($0) ? nil : "\u{FFFD}" } }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Whether a character can be part of any text without doing something to what is around it.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
        // The marks that turn or isolate the direction of text.
        case 0x202A...0x202E, 0x2066...0x2069: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
