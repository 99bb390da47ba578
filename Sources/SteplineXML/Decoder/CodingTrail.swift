/// The way to a value, put together only for those who ask.
final class CodingTrail {
    private let key: (any CodingKey)?
    private let before: CodingTrail?

    /// The way to the root.
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

/// A key made from a name or a place in a list.
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
