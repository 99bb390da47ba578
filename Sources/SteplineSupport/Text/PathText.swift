/// Paths by their bytes, as the system reads them: a name may begin with a combining mark.
extension String {
    private static let slash = UInt8(ascii: "/")

    /// The names in a path, in order.
    package var pathNames: [String] { parts(between: "/").filter { !$0.isEmpty } }

    /// The last name of a path; `/` for the root, empty for an empty path.
    package var lastName: String {
        guard let end = utf8.lastIndex(where: { $0 != Self.slash }) else { return isEmpty ? "" : "/" }
        let upToEnd = utf8[...end]
        let name = upToEnd.lastIndex(of: Self.slash).map { upToEnd[$0...].dropFirst() } ?? upToEnd
        return String(Substring(name))
    }

    /// The path without its last name; empty for a single name, and the root for the root.
    package var outerFolder: String {
        guard let end = utf8.lastIndex(where: { $0 != Self.slash }) else { return isEmpty ? "" : "/" }
        guard let slash = utf8[...end].lastIndex(of: Self.slash) else { return "" }
        let above = utf8[..<slash].lastIndex { $0 != Self.slash }
        return above.map { String(Substring(utf8[...$0])) } ?? "/"
    }
}
