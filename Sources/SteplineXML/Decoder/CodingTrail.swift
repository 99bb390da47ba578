/// The coding path as a linked list, converted to an array on demand.
final class CodingTrail {
    private let key: (any CodingKey)?
    private let before: CodingTrail?

    /// Creates the path of the root.
    init() {
        key = nil
        before = nil
    }

    init(_ key: any CodingKey, after before: CodingTrail) {
        self.key = key
        self.before = before
    }

    var path: [any CodingKey] {
        var path: [any CodingKey] = []
        var next: CodingTrail? = self
        while let trail = next {
            if let key = trail.key { path.append(key) }
            next = trail.before
        }
        return path.reversed()
    }
}

/// A coding key made of a name or an index.
struct PlainKey: CodingKey {
    private let name: String?
    let intValue: Int?

    init(stringValue: String) {
        name = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        name = nil
        self.intValue = intValue
    }

    var stringValue: String { name ?? intValue.map { "\($0)" } ?? "" }
}
