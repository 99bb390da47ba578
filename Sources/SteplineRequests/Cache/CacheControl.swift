/// The directives of a `Cache-Control` header (RFC 9111).
struct CacheControl: Sendable, Equatable {
    private var values: [String: String] = [:]

    /// Parses the header's value; the first occurrence of a directive counts.
    init(_ header: String?) {
        var rest = (header ?? "").unicodeScalars[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != "," }
            // The value is optional: a name, or a name and a token or a quoted string.
            rest = rest.dropFirst(name.count)
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst()
                if rest.first == "\"" {
                    // A comma inside quotes doesn't end the directive.
                    let quoted = rest.dropFirst().prefix { $0 != "\"" }
                    value = Self.word(quoted)
                    rest = rest.dropFirst(quoted.count + 2)
                } else {
                    value = Self.word(rest.prefix { $0 != "," })
                }
            }
            // Skip the rest of a malformed directive up to the next comma.
            rest = rest.drop { $0 != "," }.dropFirst()
            let key = Self.word(name).lowercased()
            // Later occurrences of a directive are ignored.
            if !key.isEmpty, values[key] == nil { values[key] = value }
        }
    }

    private static func word(_ scalars: Substring.UnicodeScalarView) -> String {
        String(String.UnicodeScalarView(scalars.filter { !$0.properties.isWhitespace }))
    }

    /// Returns whether a directive is present.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the seconds of a directive; nil if the directive is absent.
    ///
    /// An invalid number counts as 0, so the response is never considered fresh.
    func seconds(_ name: String) -> Double? {
        values[name].map { text in
            // Digits only: `Double` would also accept "inf", "1e9" and negative numbers.
            guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return 0 }
            // RFC 9111 limits delta-seconds to 2^31.
            return min(Double(text) ?? 0, 2_147_483_648)
        }
    }
}
