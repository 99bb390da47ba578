/// Paths as they are written, by their bytes, as the system reads them: a name may begin with any mark.
extension String {
    private static let slash = UInt8(ascii: "/")

    /// The names that a path consists of, in their order.
    package var pathNames: [String] { parts(between: "/").filter { !$0.isEmpty } }

    /// The last name of a path; `/` of the root, and nothing of nothing.
    package var lastName: String {
        guard let end = utf8.lastIndex(where: { $0 != Self.slash }) else { return isEmpty ? "" : "/" }
        let upToEnd = utf8[...end]
        let name = upToEnd.lastIndex(of: Self.slash).map { upToEnd[$0...].dropFirst() } ?? upToEnd
        return String(Substring(name))
    }

    /// The path without its last name; nothing for a name alone, and the root for the root.
    package var outerFolder: String {
        guard let end = utf8.lastIndex(where: { $0 != Self.slash }) else { return isEmpty ? "" : "/" }
        guard let slash = utf8[...end].lastIndex(of: Self.slash) else { return "" }
        let above = utf8[..<slash].lastIndex { $0 != Self.slash }
        return above.map { String(Substring(utf8[...$0])) } ?? "/"
    }
}
