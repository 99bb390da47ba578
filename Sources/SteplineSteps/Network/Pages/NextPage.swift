import SteplineJSON

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Where a page says that the next one is.
public struct NextPage: Sendable {
    let find: @Sendable (URLPage) throws -> URLRequest?

    /// In the header `Link`, as `<…>; rel="next"` (RFC 8288).
    public static let link = NextPage { page in
        let header = page.httpResponse?.value(forHTTPHeaderField: "Link") ?? ""
        guard let place = LinkHeader(header).target(of: "next") else { return nil }
        return try page.request(to: place)
    }

    /// In the JSON of the body: a text with a URL; the last page has `null`, an empty text, or nothing there.
    ///
    /// Throws a `JSONError` for what is no JSON Pointer.
    public static func pointer(_ text: String) throws -> NextPage {
        let pointer = try JSONPointer(text)
        return NextPage { page in
            guard let value = try JSON(parsing: page.data)[pointer], !value.isNull else { return nil }
            guard let place = value.string else {
                throw URLPageError(.noPlace, page.number, page.request, "what is at \(text) is no text")
            }
            return place.isEmpty ? nil : try page.request(to: place)
        }
    }

    /// Wherever the closure finds it; nil for the last page.
    public static func found(by find: @escaping @Sendable (URLPage) throws -> URLRequest?) -> NextPage {
        NextPage(find: find)
    }
}

/// The header `Link`: places and what they are to the page.
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

    /// The first place that is this to the page.
    func target(of relation: String) -> String? {
        links.first { $0.relations.contains(relation) }?.place
    }

    /// Reads the parameters of one link, up to the comma behind them.
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

    /// Reads the value behind an equals sign, in quotes or without.
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
