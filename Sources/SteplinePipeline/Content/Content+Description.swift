import Foundation

extension Content: CustomStringConvertible {
    /// The entries, a line each: name, type, and a short form of the value.
    ///
    /// Bytes are told as a count, and no entry takes more than 200 characters.
    public var description: String {
        guard !names.isEmpty else { return "Content (empty)" }
        let lines = names.map { "  \($0): \(shortForm(ofEntry: $0))" }
        return "Content\n" + lines.joined(separator: "\n")
    }

    private func shortForm(ofEntry name: String) -> String {
        guard let value = self[name] else { return "nil" }
        let form: String
        switch value {
        case let data as Data: form = "Data, \(data.count) bytes"
        // Collections are told as counts: describing a large one whole would take its time and memory.
        case let text as String:
            form = "String, \(text.utf8.count) bytes, \(text.prefix(120).debugDescription)"
        case let items as any Collection: form = "\(type(of: value)), \(count(of: items)) elements"
        default: form = "\(type(of: value)), \(value)"
        }
        let room = 200 - name.count - 4
        return form.count > room ? form.prefix(max(room - 1, 1)) + "…" : form
    }

    private func count(of items: some Collection) -> Int { items.count }
}
