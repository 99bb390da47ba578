import CYAML

/// A syntax error of libyaml, in the words and at the places of `JSON5Reader` as far as they fit.
struct YAMLMistake {
    let offset: Int
    let message: String
    private(set) var hint: String?

    /// Translates a mistake; `offset` converts libyaml's positions.
    init(_ mistake: cyaml_mistake, in source: FlowSource, offset: (Int) -> Int) {
        let text = mistake.text.map { String(cString: $0) } ?? ""
        let context = mistake.context.map { String(cString: $0) } ?? ""
        let place = offset(mistake.position)
        let start = offset(mistake.context_position)
        let found = source.bytes.dropFirst(place).first
        func words(_ message: String, at place: Int = place, hint: String? = nil) -> (Int, String, String?) {
            (place, message, hint)
        }
        let tab = words("a tab can't indent", hint: "use blanks")
        (self.offset, self.message, self.hint) =
            switch text {
            case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
                if found == UInt8(ascii: "{"), place > 0, source.bytes[place - 1] == UInt8(ascii: "$") {
                    words("a text with ${…} needs quotes between brackets", at: place - 1)
                } else if let found, found != UInt8(ascii: "}"), found != UInt8(ascii: "]") {
                    words("a comma is missing", hint: "or quotes around a text with ',', '[', '{' or ': '")
                } else {
                    words("the \(text.hasSuffix("'}'") ? "object" : "list") is never closed", at: start)
                }
            case "found unexpected end of stream", "found unexpected document indicator":
                words("the string is never closed", at: start)
            case "found character that cannot start any token":
                found == 0x09
                    ? tab
                    : words(
                        "a text can't begin with '\(source.character(at: place))'", hint: "quote the text")
            case "did not find expected alphabetic or numeric character":
                words(
                    "a text can't begin with '\(source.character(at: start))'", at: start,
                    hint: "quote the text")
            case "found a tab character that violates indentation",
                "found a tab character where an indentation space is expected":
                tab
            case "mapping values are not allowed in this context":
                words("unexpected colon", hint: "quote a text with ': ', and indent keys of one object alike")
            case "could not find expected ':'": words("a colon is missing after the key", at: start)
            case "did not find expected key":
                if let last = source.lastVisible(before: place), "'\"".utf8.contains(last) {
                    words("unexpected text after a string", hint: "quote the whole text")
                } else {
                    words(
                        "expected a key here",
                        hint: "indent it like the object's first key at \(source.place(at: start))")
                }
            case "did not find expected '-' indicator":
                words(
                    "expected '- ' here",
                    hint: "indent it like the list's first at \(source.place(at: start))")
            case "block sequence entries are not allowed in this context":
                words("a list can't begin here", hint: "begin it on a line of its own")
            case "did not find expected node content":
                words("expected a value here, not '\(source.character(at: place))'")
            case "did not find expected <document start>":
                words("unexpected text after the file's value", hint: "indent all keys of the file alike")
            case "found incompatible YAML document":
                words("the file must be YAML 1.2", hint: "remove the line %YAML")
            case "found unknown escape character", "found invalid Unicode character escape code",
                "did not find expected hexdecimal number":
                words("malformed escape")
            case "found undefined tag handle":
                words("the tag isn't supported", hint: "remove it, or quote a text that begins with '!'")
            default: words(context.isEmpty ? text : "\(text) \(context)")
            }
    }
}

extension FlowSource {
    /// Returns the character at an offset, for messages.
    fileprivate func character(at offset: Int) -> String {
        String(String(decoding: bytes.dropFirst(offset).prefix(32), as: UTF8.self).prefix(1))
    }

    /// Returns the last byte before an offset that isn't a blank or a line break.
    fileprivate func lastVisible(before offset: Int) -> UInt8? {
        bytes.prefix(offset).last { $0 > 0x20 }
    }
}
