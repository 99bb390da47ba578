/// The forms of secrets that a redactor searches for.
///
/// The search tries each form, longest first, at each position whose byte may begin one. Escapes may be mixed within an
/// occurrence.
struct SecretNeedles: Sendable {
    private struct Needle: Sendable {
        let name: String
        let bytes: [UInt8]
        /// Whether characters at the ends may contain bits of the secret.
        var spreads = (before: false, after: false)
    }

    /// The marker of a truncated text.
    private static let cut = Array("…".utf8)
    /// The places after which a text with very many backslashes counts as the secret.
    private static let mostPlaces = 10_000
    /// The shortest line of a multi-line secret that is searched separately.
    private static let shortestLine = 8

    private var needles: [Needle] = []
    /// Whether a secret or its escape may begin with each byte.
    private var begins = [Bool](repeating: false, count: 256)

    init(_ values: [(name: String, value: String)]) { add(values) }

    /// Adds the forms of secrets.
    mutating func add(_ values: [(name: String, value: String)]) {
        for (name, value) in values {
            let bytes = Array(value.utf8)
            needles.append(Needle(name: name, bytes: bytes))
            let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
            if lines.count > 1 {
                needles += lines.filter { $0.count >= Self.shortestLine }
                    .map { Needle(name: name, bytes: Array($0)) }
            }
            // A later step may trim the value.
            let start = bytes.prefix { $0 <= 0x20 }.count
            let trimmed = bytes[start...].reversed().drop { $0 <= 0x20 }.reversed()
            if trimmed.count < bytes.count { needles.append(Needle(name: name, bytes: Array(trimmed))) }
            for shift in 0..<3 {
                for isForURLs in [false, true] {
                    let core = Base64Core(bytes, shift: shift, isForURLs: isForURLs)
                    needles.append(Needle(name: name, bytes: core.text, spreads: core.spreads))
                }
            }
        }
        needles.removeAll { $0.bytes.count < SecretRedactor.shortest }
        // The longest first, since a secret may be part of another.
        needles.sort { $0.bytes.count > $1.bytes.count }
        for needle in needles {
            begins[Int(needle.bytes[0])] = true
            if needle.bytes[0] < 0x20 { begins[0x20] = true }
        }
        if !needles.isEmpty { for byte in #"%\&+"#.utf8 { begins[Int(byte)] = true } }
    }

    var isEmpty: Bool { needles.isEmpty }

    /// Returns the text without secrets; nil if it contains none.
    func redacted(_ text: String) -> String? {
        redacted(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the bytes without secrets; nil if they contain none.
    func redacted(_ bytes: [UInt8]) -> [UInt8]? {
        guard !isEmpty else { return nil }
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        while position < bytes.count {
            guard begins[Int(bytes[position])], let (needle, end) = match(bytes, position) else {
                position += 1
                continue
            }
            let first = needle.spreads.before && position > copied ? position - 1 : position
            result += bytes[copied..<first]
            result += Array("[secret \(needle.name)]".utf8)
            copied = needle.spreads.after && end < bytes.count && Base64Core.isOf(bytes[end]) ? end + 1 : end
            position = copied
        }
        guard copied > 0 else { return nil }
        return result + bytes[copied...]
    }

    /// Returns the name of the first secret in the bytes.
    func firstSecret(in bytes: [UInt8]) -> String? {
        guard !isEmpty else { return nil }
        for position in bytes.indices where begins[Int(bytes[position])] {
            if let (needle, _) = match(bytes, position) { return needle.name }
        }
        return nil
    }

    private func match(_ bytes: [UInt8], _ position: Int) -> (Needle, end: Int)? {
        for needle in needles {
            if let end = Self.end(of: needle.bytes, in: bytes, position) { return (needle, end) }
        }
        return nil
    }

    /// Returns the end of a secret that begins at a position, escaped or not.
    private static func end(of needle: [UInt8], in bytes: [UInt8], _ start: Int) -> Int? {
        if bytes[start] == needle[0], bytes[start...].starts(with: needle) { return start + needle.count }
        guard
            bytes[start] == needle[0] || EscapedUnit(bytes, start)?.bytes[0] == needle[0]
                || bytes[start] == 0x20
        else { return nil }
        // A backslash may be literal or begin an escape: try both.
        var others: [Place] = []
        // The places since the first backslash of two meanings.
        var known: Set<Place> = []
        var isAmbiguous = false
        var next: Place? = Place(position: start, matched: 0)
        while let place = next ?? others.popLast() {
            next = nil
            let (position, matched) = (place.position, place.matched)
            if isAmbiguous {
                guard known.insert(place).inserted else { continue }
                guard known.count < mostPlaces else { return position }
            }
            guard matched < needle.count else { return position }
            guard position < bytes.count else { continue }
            if matched >= SecretRedactor.shortest, bytes[position...].starts(with: cut),
                !needle[matched...].starts(with: cut)
            {
                return position
            }
            if bytes[position] == needle[matched] {
                next = Place(position: position + 1, matched: matched + 1)
            }
            if let unit = EscapedUnit(bytes, position), needle[matched...].starts(with: unit.bytes) {
                if let raw = next {
                    isAmbiguous = true
                    others.append(raw)
                }
                next = Place(position: unit.end, matched: matched + unit.bytes.count)
            }
            guard next == nil else { continue }
            if bytes[position] == 0x20, needle[matched] < 0x20 {
                // In one-line texts a blank replaces any number of control characters.
                let count = needle[matched...].prefix { $0 < 0x20 }.count
                next = Place(position: position + 1, matched: matched + count)
            }
        }
        return nil
    }

    /// The progress in text and secret.
    private struct Place: Hashable {
        let position: Int
        let matched: Int
    }
}
