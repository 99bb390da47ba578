/// Formats normalized paths as defined by RFC 9535.
enum NormalizedPath {
    static func text(_ steps: [Whereabouts.Step]) -> String {
        steps.reduce(into: "$") { path, step in
            path += step.key.map { "['" + escaped($0) + "']" } ?? "[\(step.position)]"
        }
    }

    private static func escaped(_ key: String) -> String {
        key.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "'", "\\": result += "\\\(scalar)"
            case "\u{8}": result += "\\b"
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\u{C}": result += "\\f"
            case "\r": result += "\\r"
            case "\u{0}"..<" ":
                result += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
