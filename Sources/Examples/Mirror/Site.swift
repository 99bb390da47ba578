import Foundation
import Stepline

/// The site to mirror, and the folder for its pages.
struct Site: Sendable {
    let index: URL
    let folder: URL

    struct NoAddress: Error, CustomStringConvertible {
        let link: String
        var description: String { "\"\(link)\" leads nowhere" }
    }

    /// Returns the links of the index without duplicates, in order.
    func links() async throws -> [String] {
        let page = try await load(index)
        var seen: Set<String> = []
        return try XML.Document(html: page).query(.strings("//a/@href")).filter { seen.insert($0).inserted }
    }

    /// Saves the page of a link atomically.
    func save(_ link: String) async throws -> Mirror.Page {
        guard let url = URL(string: link, relativeTo: index) else { throw NoAddress(link: link) }
        let data = try await load(url)
        let name = link.replacingOccurrences(of: "/", with: "_", options: .literal)
        try write(data, to: name)
        return Mirror.Page(name: name, size: data.count)
    }

    /// Writes a list of the saved pages.
    func writeContents(of pages: [Mirror.Page]) throws {
        let lines = pages.map { "\($0.name) \($0.size)\n" }
        try write(Data(lines.joined().utf8), to: "contents.txt")
    }

    private func load(_ url: URL) async throws -> Data {
        try await Pipeline.run { URLLoadStep(url) }
    }

    private func write(_ data: Data, to name: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appending(path: name), options: .atomic)
    }
}
