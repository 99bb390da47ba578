import Foundation
import SteplineSupport

/// Derives unique file names from URLs.
struct FetchNames {
    private var taken: Set<String> = []

    /// Returns a unique name from the URL's last component that can't leave the folder.
    mutating func name(for url: URL, ending: String?) -> String {
        var name = Self.safe(url.lastPathComponent)
        if name.isEmpty { name = Self.safe(url.host() ?? "") }
        if name.isEmpty { name = "body" }
        if let ending, !name.lowercased().hasSuffix("." + ending) { name += "." + ending }
        // Some file systems ignore case: compare lower-case names.
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
