import Foundation

/// A JSON object of docc's, read by name.
struct Node {
    let members: [String: Any]

    init(_ value: Any?) { members = value as? [String: Any] ?? [:] }

    var type: String { self["type"] }

    subscript(name: String) -> String { members[name] as? String ?? "" }
    subscript(node name: String) -> Node { Node(members[name]) }
    subscript(list name: String) -> [Node] { (members[name] as? [Any] ?? []).map { Node($0) } }
    subscript(texts name: String) -> [String] { members[name] as? [String] ?? [] }
}

/// The archive that docc makes: a page of JSON for each article and symbol.
struct Archive {
    struct Page {
        /// Where docc would show it, such as `/documentation/stepline/workflows`.
        let url: String
        let node: Node

        var title: String { node[node: "metadata"]["title"] }
        var isModule: Bool { node[node: "metadata"]["symbolKind"] == "module" || isStart }
        var isStart: Bool { url == Archive.start }
    }

    /// The catalog's own page.
    static let start = "/documentation/stepline"

    let pages: [Page]
    private let folder: URL
    private let places: [String: String]

    init(_ folder: URL) throws {
        self.folder = folder
        let data = folder.appending(path: "data")
        let files = try FileManager.default.subpathsOfDirectory(atPath: data.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        pages = try files.map { file in
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: data.appending(path: file)))
            return Page(url: "/\(file.dropLast(".json".count))", node: Node(json))
        }
        guard pages.contains(where: \.isStart) else {
            throw Pages.Problem(description: "there is no page \(Self.start)")
        }
        var places: [String: String] = [:], taken: Set<String> = ["symbols.html"]
        for page in pages {
            let base = page.isStart ? "index" : Self.fileName(page.url)
            var place = "\(base).html", number = 1
            while !taken.insert(place).inserted {
                number += 1
                place = "\(base)-\(number).html"
            }
            places[page.url] = place
        }
        self.places = places
    }

    /// Names that every file system and host takes: letters of one case, digits, points and hyphens.
    private static func fileName(_ url: String) -> String {
        let path = url.dropFirst("/documentation/".count)
        return String(
            path.lowercased().map {
                "/.-_".contains($0) || $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
            })
    }

    /// The file of a page, from the output folder.
    func place(of url: String) -> String { places[url.lowercased()] ?? "\(url) is no page" }

    /// The link from one file to a page, with its anchor if it has one.
    func link(to url: String, from place: String) -> String {
        let parts = url.split(separator: "#", maxSplits: 1)
        let anchor = parts.count > 1 ? "#\(parts[1])" : ""
        return Self.relative(self.place(of: String(parts.first ?? "")), from: place) + anchor
    }

    static func relative(_ target: String, from place: String) -> String {
        String(repeating: "../", count: place.count { $0 == "/" }) + target
    }

    /// The files of pictures, by where they go.
    func images() throws -> [(String, URL)] {
        let images = folder.appending(path: "images")
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: images.path)) ?? []
        return files.map { ("images/\($0)", images.appending(path: $0)) }.filter { !$0.1.hasDirectoryPath }
            .filter { (try? $0.1.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
    }

    /// All modules, the start page's first.
    var modules: [Page] {
        pages.filter(\.isModule).sorted { ($0.isStart ? "" : $0.title) < ($1.isStart ? "" : $1.title) }
    }
}
