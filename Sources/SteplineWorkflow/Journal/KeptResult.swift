/// A result that is kept elsewhere until somebody wants it.
package struct KeptResult: Sendable {
    private let source: any ResultSource
    private let place: Int

    package init(_ source: any ResultSource, _ place: Int) {
        self.source = source
        self.place = place
    }

    func load() throws -> (any Sendable)? { try source.result(at: place) }

    /// The elements whose results it is made of; nil unless this process has made it as the result of a map.
    package var elements: (any ElementResults)? { source as? any ElementResults }

    /// The values themselves, in one call of the source where that can be.
    static func load(_ values: [any Sendable]) throws -> [(any Sendable)?] {
        let kept = values.enumerated().compactMap { place, value in
            (value as? KeptResult).map { (place: place, result: $0) }
        }
        var values = values.map(Optional.some)
        guard let first = kept.first else { return values }
        // One query for all, if the first source can read for the others. Nil: each source reads its own.
        let found = try first.result.source.results(of: kept.map { ($0.result.source, $0.result.place) })
        for (index, one) in kept.enumerated() {
            values[one.place] = try found.map { $0[index] } ?? one.result.load()
        }
        return values
    }

    /// The value itself, also of what is kept elsewhere.
    static func unpacked(_ value: (any Sendable)?) -> (any Sendable)? {
        guard let kept = value as? KeptResult else { return value }
        // Readers through a task's snapshot can't throw: for them a result that can't be read is nil.
        return (try? kept.load()) ?? nil
    }
}

/// Where results are kept.
package protocol ResultSource: AnyObject, Sendable {
    /// The result that is kept at that place; blocks until it is read.
    func result(at place: Int) throws -> (any Sendable)?

    /// Several results, of this source and others of the same kind; nil if each is to be asked for by itself.
    func results(of all: [(source: any ResultSource, place: Int)]) throws -> [(any Sendable)?]?
}

extension ResultSource {
    package func results(of all: [(source: any ResultSource, place: Int)]) throws -> [(any Sendable)?]? {
        nil
    }
}
