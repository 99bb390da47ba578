/// A word or sign of an XPath.
struct XPathToken {
    enum Kind {
        case name, number, text, sign, other
    }

    let kind: Kind
    let text: String
    /// How many scalars are before it.
    let place: Int

    var isUnclosedText: Bool { kind == .text && (text.unicodeScalars.count < 2 || text.first != text.last) }

    /// Reads as far as there is something; what no XPath has is a token of its own.
    static func all(of expression: String) -> [XPathToken] {
        let scalars = Array(expression.unicodeScalars)
        var tokens: [XPathToken] = []
        var place = 0
        while place < scalars.count {
            let start = place
            let kind: Kind
            switch scalars[place] {
            case " ", "\t", "\n", "\r":
                place += 1
                continue
            case "'", "\"":
                place = scalars[(start + 1)...].firstIndex(of: scalars[start]).map { $0 + 1 } ?? scalars.count
                kind = .text
            case let scalar where startsName(scalar):
                place = endOfName(scalars, from: start)
                kind = .name
            case let scalar where isDigit(scalar) || scalar == "." && isDigit(at: start + 1, scalars):
                while isDigit(at: place, scalars) { place += 1 }
                if place < scalars.count, scalars[place] == "." { place += 1 }
                while isDigit(at: place, scalars) { place += 1 }
                kind = .number
            case let scalar:
                let next = start + 1 < scalars.count ? scalars[start + 1] : " "
                let isDouble = ["//", "..", "::", "!=", "<=", ">="].contains("\(scalar)\(next)")
                place += isDouble ? 2 : 1
                kind = isDouble || "()[],@/.|+-=<>*$".unicodeScalars.contains(scalar) ? .sign : .other
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<place])
            tokens.append(XPathToken(kind: kind, text: String(text), place: start))
        }
        return tokens
    }

    /// A name may have a prefix, and behind that a star.
    private static func endOfName(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        func word(from start: Int) -> Int {
            scalars[start...].firstIndex { !continuesName($0) }
                ?? scalars.count
        }
        let end = word(from: start)
        guard end + 1 < scalars.count, scalars[end] == ":" else { return end }
        if scalars[end + 1] == "*" { return end + 2 }
        return startsName(scalars[end + 1]) ? word(from: end + 1) : end
    }

    private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
    }

    private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
        startsName(scalar) || isDigit(scalar) || "-.·".unicodeScalars.contains(scalar)
            || scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isDigit(at place: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        place < scalars.count && isDigit(scalars[place])
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
