/// The directives of `Cache-Control` (RFC 9111).
struct CacheControl: Sendable, Equatable {
    private var values: [String: String] = [:]

    /// Reads the value of the header; of a directive that is there twice the first counts.
    init(_ header: String?) {
        var rest = (header ?? "").unicodeScalars[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != "," }
            rest = rest.dropFirst(name.count)
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst()
                if rest.first == "\"" {
                    let quoted = rest.dropFirst().prefix { $0 != "\"" }
                    value = Self.word(quoted)
                    rest = rest.dropFirst(quoted.count + 2)
                } else {
                    value = Self.word(rest.prefix { $0 != "," })
                }
            }
            rest = rest.drop { $0 != "," }.dropFirst()
            let key = Self.word(name).lowercased()
            if !key.isEmpty, values[key] == nil { values[key] = value }
        }
    }

    private static func word(_ scalars: Substring.UnicodeScalarView) -> String {
        String(String.UnicodeScalarView(scalars.filter { !$0.properties.isWhitespace }))
    }

    /// Whether a directive is there.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The seconds of a directive; nil if it isn't there.
    ///
    /// What is no number is no time at all, so that nothing counts as fresh by it.
    func seconds(_ name: String) -> Double? {
        values[name].map { text in
            guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return 0 }
            return min(Double(text) ?? 0, 2_147_483_648)
        }
    }
}
