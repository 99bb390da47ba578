/// A result that is kept elsewhere until somebody wants it.
package struct KeptResult: Sendable {
    private let source: any ResultSource
    private let place: Int

    package init(_ source: any ResultSource, _ place: Int) {
        self.source = source
        self.place = place
    }

    func load() throws -> (any Sendable)? { try source.result(at: place) }

    /// The value itself, also of what is kept elsewhere.
    static func unpacked(_ value: (any Sendable)?) -> (any Sendable)? {
        guard let kept = value as? KeptResult else { return value }
        return (try? kept.load()) ?? nil
    }
}

/// Where results are kept.
package protocol ResultSource: AnyObject, Sendable {
    /// The result that is kept at that place; blocks until it is read.
    func result(at place: Int) throws -> (any Sendable)?
}
