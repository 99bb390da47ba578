import SteplineJSON

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The rule for finding the next page.
public struct NextPage: Sendable {
    let find: @Sendable (URLPage) throws -> URLRequest?

    /// Reads the header `Link` with `rel="next"` (RFC 8288).
    public static let link = NextPage { page in
        let header = page.httpResponse?.value(forHTTPHeaderField: "Link") ?? ""
        guard let place = LinkHeader(header).target(of: "next") else { return nil }
        return try page.request(to: place)
    }

    /// Returns a rule that reads a URL from the JSON body at a JSON Pointer; null, an empty text or no value means the
    /// last page.
    ///
    /// - Throws: A `JSONError` for an invalid JSON Pointer.
    public static func pointer(_ text: String) throws -> NextPage {
        let pointer = try JSONPointer(text)
        return NextPage { page in
            guard let value = try JSON(parsing: page.data)[pointer], !value.isNull else { return nil }
            guard let place = value.string else {
                throw URLPageError(.noPlace, page.number, page.request, "the value at \(text) is no text")
            }
            return place.isEmpty ? nil : try page.request(to: place)
        }
    }

    /// Returns a rule that calls a closure; nil means the last page.
    public static func found(by find: @escaping @Sendable (URLPage) throws -> URLRequest?) -> NextPage {
        NextPage(find: find)
    }
}

/// The parsed header `Link`: targets and their relations.
struct LinkHeader {
    private var links: [(place: String, relations: [String])] = []

    init(_ header: String) {
        var rest = header.unicodeScalars[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let place = String(rest[rest.index(after: start)..<end])
            rest = rest[rest.index(after: end)...]
            links.append((place, Self.relations(&rest)))
        }
    }

    /// Returns the first target with a relation.
    func target(of relation: String) -> String? {
        links.first { $0.relations.contains(relation) }?.place
    }

    /// Parses the parameters of one link, up to the comma.
    private static func relations(_ rest: inout Substring.UnicodeScalarView) -> [String] {
        var found: [String] = []
        while let scalar = rest.first, scalar != "," {
            rest = rest.dropFirst()
            guard scalar == ";" else { continue }
            rest = rest.drop { $0.properties.isWhitespace }
            let name = rest.prefix { $0 != "=" && $0 != ";" && $0 != "," }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            let value = value(&rest)
            let isRelation = String(name).trimmingCharacters(in: .whitespaces).lowercased() == "rel"
            if isRelation, found.isEmpty {
                found = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
            }
        }
        return found
    }

    /// Parses a quoted or unquoted value after an equals sign.
    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String {
        rest = rest.dropFirst().drop { $0.properties.isWhitespace }
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != ";" && $0 != "," }
            rest = rest.dropFirst(value.count)
            return String(value).trimmingCharacters(in: .whitespaces)
        }
        rest = rest.dropFirst()
        var value = ""
        while let scalar = rest.popFirst(), scalar != "\"" {
            value.unicodeScalars.append(scalar == "\\" ? rest.popFirst() ?? "\\" : scalar)
        }
        return value
    }
}
