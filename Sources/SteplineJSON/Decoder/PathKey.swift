/// A key or position in a coding path.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ position: Int) {
        stringValue = "Index \(position)"
        intValue = position
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }

    static let superKey = PathKey("super")
}
