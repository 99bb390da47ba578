import SteplineSupport

/// Escapes names for each format, so that any content stays plain text.
enum Escaping {
    /// Escapes text and attributes for XML, HTML and SVG.
    ///
    /// Characters that XML forbids, and those that control the direction of text, become replacement characters.
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

    /// Escapes a quoted string for DOT.
    static func dot(_ text: String) -> String {
        text.rewriting { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n", "\r": "\\n"
            // Quoted labels interpret entities.
            case "&": "&amp;"
            default: isSafe(scalar) ? nil : "\u{FFFD}"
            }
        }
    }

    /// Escapes a quoted label for Mermaid, which reads labels as Markdown and entities with a number sign.
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
        // Mermaid can't render lists: escape the character that would start one.
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

    /// Escapes a string for JSON.
    static func json(_ text: String) -> String {
        text.rewriting { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            // Escaped so that the text may also stand in a script element.
            case "<": "\\u003c"
            default: scalar.value < 0x20 || scalar.value == 0x7F ? hexadecimal(scalar) : nil
            }
        }
    }

    /// Escapes a JSON string for an HTML element, so that nothing in it can end the element.
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

    /// Replaces characters that pages must not show.
    static func visible(_ text: String) -> String { text.rewriting { isSafe($0) ? nil : "\u{FFFD}" } }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Returns whether a character has no effect on the text around it.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
        // Characters that override or isolate the direction of text.
        case 0x202A...0x202E, 0x2066...0x2069: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
