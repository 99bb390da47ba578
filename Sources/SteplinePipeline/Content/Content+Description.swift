import Foundation

extension Content: CustomStringConvertible {
    /// The entries, a line each: name, type, and a short form of the value.
    ///
    /// Bytes are told as a count, and no entry takes more than 200 characters.
    public var description: String {
        guard !names.isEmpty else { return "Content (empty)" }
        let lines = names.map { "  " + cut("\(cut($0, to: 100)): \(shortForm(ofEntry: $0))", to: 200) }
        return "Content\n" + lines.joined(separator: "\n")
    }

    private func shortForm(ofEntry name: String) -> String {
        guard let value = self[name] else { return "nil" }
        switch value {
        case let data as Data: return "Data, \(data.count) bytes"
        // Collections are told as counts: describing a large one whole would take its time and memory.
        case let text as String:
            return "String, \(text.utf8.count) bytes, \(text.prefix(120).debugDescription)"
        case let items as any Collection: return "\(type(of: value)), \(count(of: items)) elements"
        default: return "\(type(of: value)), \(value)"
        }
    }

    /// The beginning of a text, in one line.
    private func cut(_ text: String, to limit: Int) -> String {
        let start = text.prefix(limit + 1)
        let line = start.split(whereSeparator: \.isNewline).joined(separator: " ")
        return start.count > limit ? line.prefix(limit - 1) + "…" : line
    }

    private func count(of items: some Collection) -> Int { items.count }
}
