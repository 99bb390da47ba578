import Foundation

/// The persistent state of the surveys without a store: a line for each page with known size.
final class Journal {
    private struct Entry: Codable {
        let page: String
        let size: Int
    }

    private(set) var sizes: [String: Int] = [:]
    private let file: FileHandle

    init(_ url: URL) throws {
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        file = try FileHandle(forUpdating: url)
        let bytes = try file.readToEnd() ?? Data()
        // If the process was killed while writing, the last line may be incomplete.
        let whole = bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0
        for line in bytes.prefix(whole).split(separator: 10) {
            let entry = try JSONDecoder().decode(Entry.self, from: line)
            sizes[entry.page] = entry.size
        }
        try file.truncate(atOffset: UInt64(whole))
    }

    func write(_ page: String, _ size: Int) throws {
        try file.write(contentsOf: JSONEncoder().encode(Entry(page: page, size: size)) + [10])
        try file.synchronize()
        sizes[page] = size
    }
}
