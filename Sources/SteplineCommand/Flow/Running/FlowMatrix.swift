import SteplineJSON

/// The combinations of several lists as objects; the last list varies fastest.
struct FlowMatrix {
    /// The largest number of combinations.
    static let most = 100_000

    private let lists: [(key: String, elements: [JSON])]

    /// Creates the combinations from an object of lists.
    init(_ lists: JSON) throws {
        var count = 1
        self.lists = try lists.members.map { key, value in
            guard let elements = value.array else {
                throw FlowError("expected a list under \"\(key)\", not \(value.article)")
            }
            count *= elements.count
            guard count <= Self.most else {
                throw FlowError("map has more than \(Self.most) combinations")
            }
            return (key, elements)
        }
    }

    func elements() throws -> [JSON] {
        var rows: [[(key: String, value: JSON)]] = [[]]
        for (key, elements) in lists {
            rows = rows.flatMap { row in elements.map { row + [(key: key, value: $0)] } }
        }
        return try rows.map { try JSON(members: $0) }
    }

    /// Returns the name of a combination, made of its texts and numbers; nil if it has other values.
    static func name(of element: JSON) -> String? {
        let texts = element.members.map { $0.value.asText }
        return texts.contains { $0 == nil } ? nil : texts.compactMap(\.self).joined(separator: ", ")
    }
}
