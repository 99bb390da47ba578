import Foundation

extension Content: CustomStringConvertible {
    /// The entries, a line each: name, type, and a short form of the value.
    ///
    /// Bytes are told as a count, and no entry takes more than 200 characters.
    public var description: String {
        guard !names.isEmpty else { return "Content (empty)" }
        let lines = names.map { name in
            let shown = shortened(name, to: 100)
            return "  \(shown): \(shortened(form(ofEntry: name), to: 200 - shown.count - 4))"
        }
        return "Content\n" + lines.joined(separator: "\n")
    }

    private func form(ofEntry name: String) -> String {
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

    private func shortened(_ text: String, to room: Int) -> String {
        text.count > room ? text.prefix(room - 1) + "…" : text
    }

    private func count(of items: some Collection) -> Int { items.count }
}
