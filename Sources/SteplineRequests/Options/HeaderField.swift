/// The rules of HTTP for header fields.
enum HeaderField {
    /// Returns why a header can't be sent, with its name and without its value; nil if it can be sent.
    static func problem(_ name: String, _ value: String) -> String? {
        guard isToken(name) else { return "a header can't be sent: \"\(shown(name))\" is no name of one" }
        // A line break would begin another header, or end the head.
        for byte in value.utf8 {
            switch byte {
            case 10, 13: return "the header \"\(name)\" can't be sent: its value has a line break"
            case 0: return "the header \"\(name)\" can't be sent: its value has a zero byte"
            default: continue
            }
        }
        return nil
    }

    /// Returns whether HTTP allows a text as the name of a method or header.
    static func isToken(_ name: String) -> Bool {
        let isFitting = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default:
                "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        return isFitting && !name.isEmpty
    }

    private static func shown(_ name: String) -> String {
        // An invalid name may contain control characters, so they are replaced in the message.
        String(name.prefix(60).map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "?" })
    }
}
