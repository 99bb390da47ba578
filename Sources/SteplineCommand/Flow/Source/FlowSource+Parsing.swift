import SteplineSupport

extension FlowSource {
    /// The syntax of a workflow file; the values behind it are the same.
    enum Format: Sendable {
        case json5, yaml

        /// The format of a file: YAML by the endings `.yaml` and `.yml`, else JSON5.
        init(ofName name: String) {
            let name = name.lowercased()
            self = name.ends(with: ".yaml") || name.ends(with: ".yml") ? .yaml : .json5
        }

        /// The format of a text without a name: JSON5 if it begins as an object, a list or a comment of JSON5 does.
        init(ofText bytes: [UInt8]) {
            let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
            let first = text.first { $0 > 0x20 }
            self = first.map { "{[/".utf8.contains($0) } ?? true ? .json5 : .yaml
        }
    }

    /// The largest number of blanks and line breaks in a row in a YAML file.
    private static let mostBlanks = 1024

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Parses the file; reports its syntax errors and returns nil if it has any.
    func parse(_ issues: inout FlowIssues) -> FlowNode? {
        switch format {
        case .json5: JSON5Reader.read(self, &issues)
        case .yaml: YAMLReader.read(self, &issues)
        }
    }

    /// Returns whether the file is UTF-8; reports the first byte that isn't.
    func isText(_ issues: inout FlowIssues) -> Bool {
        let decoded = String(decoding: bytes, as: UTF8.self).utf8
        guard !decoded.elementsEqual(bytes) else { return true }
        let offset = zip(decoded, bytes).enumerated().first { $1.0 != $1.1 }?.offset
        issues.add(.syntax, at: offset ?? bytes.count, "the file isn't UTF-8")
        return false
    }

    /// Returns whether characters and directives let libyaml read the file as YAML 1.2; reports the first that doesn't.
    ///
    /// libyaml refuses control characters. U+0085, U+2028 and U+2029 are line breaks to it, but not in YAML 1.2. Its
    /// time for lines with %TAG is quadratic in their number.
    func isForLibYAML(_ issues: inout FlowIssues) -> Bool {
        var blanks = 0
        for (offset, byte) in bytes.enumerated() {
            blanks = byte <= 0x20 ? blanks + 1 : 0
            // libyaml clears its space for blanks at each word, so their number counts for the whole file.
            if blanks > Self.mostBlanks {
                issues.add(
                    .syntax, at: offset, "more than \(Self.mostBlanks) blanks and line breaks in a row")
                return false
            }
            if byte == UInt8(ascii: "%"), offset == 0 || Self.isBreak(bytes[offset - 1]),
                bytes[offset...].starts(with: "%TAG".utf8)
            {
                issues.add(
                    .syntax, at: offset, "the directive %TAG isn't supported",
                    hint: "remove it, and tags that it declares")
                return false
            }
            guard let scalar = refusedCharacter(at: offset, byte) else { continue }
            let digits = String(scalar, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: 4 - digits.count) + digits
            issues.add(
                .syntax, at: offset, "unexpected character U+\(code)",
                hint: "write \\u\(code) in double quotes")
            return false
        }
        return true
    }

    /// Returns the refused character that begins at an offset of valid UTF-8.
    private func refusedCharacter(at offset: Int, _ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x09, 0x0A, 0x0D: return nil
        case ..<0x20, 0x7F: return UInt32(byte)
        case 0xC2:
            let next = bytes[offset + 1]
            return next < 0xA0 ? UInt32(next) : nil
        case 0xE2, 0xEF:
            let text = String(decoding: bytes[offset..<offset + 3], as: UTF8.self)
            guard let scalar = text.unicodeScalars.first else { return nil }
            switch scalar.value {
            case 0x2028, 0x2029, 0xFFFE, 0xFFFF: return scalar.value
            // A mark at the very beginning is no part of the text.
            case 0xFEFF where offset > 0: return scalar.value
            default: return nil
            }
        default: return nil
        }
    }
}
