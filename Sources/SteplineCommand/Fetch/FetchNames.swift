import Foundation
import SteplineSupport

/// Finds names for files in a folder, by the URLs that they come from; never one twice.
struct FetchNames {
    private var taken: Set<String> = []

    /// A name of the URL's last part, that can't lead out of the folder, with an ending if one is wanted.
    mutating func name(for url: URL, ending: String?) -> String {
        var name = Self.safe(url.lastPathComponent)
        if name.isEmpty { name = Self.safe(url.host() ?? "") }
        if name.isEmpty { name = "body" }
        if let ending, !name.lowercased().hasSuffix("." + ending) { name += "." + ending }
        // File systems that don't tell capitals apart would take two for one.
        if taken.insert(name.lowercased()).inserted { return name }
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        var number = 2
        while true {
            let numbered = "\(name[..<dot])-\(number)\(name[dot...])"
            if taken.insert(numbered.lowercased()).inserted { return numbered }
            number += 1
        }
    }

    private static func safe(_ name: String) -> String {
        let replaced = name.unicodeScalars.map { scalar in
            scalar.isControl || "/\\:".unicodeScalars.contains(scalar) ? "-" : Character(scalar)
        }
        var safe = String(replaced)
        while safe.begins(with: ".") || safe.begins(with: "-") { safe.unicodeScalars.removeFirst() }
        while safe.utf8.count > 200 { safe.removeLast() }
        return safe
    }
}
