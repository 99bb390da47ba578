import Foundation

/// All files of the documentation.
struct Site {
    var files: [String: Data] = [:]
    private(set) var linkCount = 0

    /// Every link of a page that leads to no file here, or to no place in one.
    mutating func deadLinks() -> [String] {
        var texts: [String: String] = [:]
        for (place, data) in files where place.hasSuffix(".html") {
            texts[place] = String(decoding: data, as: UTF8.self)
        }
        let anchors = texts.mapValues { text in Set(text.matches(of: /\sid="([^"]*)"/).map { String($0.1) }) }
        var dead: [String] = []
        for (place, text) in texts.sorted(by: { $0.key < $1.key }) {
            for match in text.matches(of: /\s(?:href|src)="([^"]*)"/) where !match.1.contains("://") {
                linkCount += 1
                let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let target = parts[0].isEmpty ? place : resolved(String(parts[0]), from: place)
                let isThere = files[target] != nil
                let hasAnchor = parts.count < 2 || anchors[target]?.contains(String(parts[1])) == true
                if !isThere || !hasAnchor { dead.append("\(place): \(match.1)") }
            }
        }
        return dead
    }

    private func resolved(_ link: String, from place: String) -> String {
        var path = place.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") {
            if part == ".." { _ = path.popLast() } else { path.append(String(part)) }
        }
        return path.joined(separator: "/")
    }

    func write(to folder: URL) throws {
        for (place, data) in files {
            let file = folder.appending(path: place)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }
}
