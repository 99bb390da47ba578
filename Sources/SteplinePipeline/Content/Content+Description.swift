import Foundation

extension Content: CustomStringConvertible {
    /// The entries, one per line: name, type, and a short form of the value.
    ///
    /// Data appears as its size. No entry exceeds 200 characters.
    public var description: String {
        guard !names.isEmpty else { return "Content (empty)" }
        let lines = names.map { "  " + cut("\(cut($0, to: 100)): \(shortForm(ofEntry: $0))", to: 200) }
        return "Content\n" + lines.joined(separator: "\n")
    }

    private func shortForm(ofEntry name: String) -> String {
        guard let value = self[name] else { return "nil" }
        switch value {
        case let data as Data: return "Data, \(data.count) bytes"
        // Collections appear as counts: a description of a large collection costs time and memory.
        case let text as String:
            return "String, \(text.utf8.count) bytes, \(text.prefix(120).debugDescription)"
        case let items as any Collection: return "\(type(of: value)), \(count(of: items)) elements"
        default: return "\(type(of: value)), \(value)"
        }
    }

    /// Returns the beginning of a text as a single line.
    private func cut(_ text: String, to limit: Int) -> String {
        // Read one character more than the limit: this shows whether the text was cut.
        let start = text.prefix(limit + 1)
        let line = start.split(whereSeparator: \.isNewline).joined(separator: " ")
        return start.count > limit ? line.prefix(limit - 1) + "…" : line
    }

    private func count(of items: some Collection) -> Int { items.count }
}
