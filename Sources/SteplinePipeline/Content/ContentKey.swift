/// The name of an entry in a bag of content, and the type of its value.
///
/// A key of one's own is one line, after which it is written `.count` wherever a key is wanted:
///
///     extension ContentKey where Value == Int { static var count: Self { .init("count") } }
///
/// A key whose `Value` is Optional is an entry that may be absent: it then reads as nil, and writing nil
/// removes it.
public struct ContentKey<Value: Sendable>: Hashable, Sendable, CustomStringConvertible {
    /// The name under which the entry is also open without a type.
    public let name: String

    let slot: ContentSlot

    /// Makes a key for the entry of that name.
    public init(_ name: String) {
        self.name = name
        slot = ContentSlot(entryNamed: name)
    }

    init(_ name: String, slot: ContentSlot) {
        self.name = name
        self.slot = slot
    }

    /// Whether it stands for an entry, and neither for the whole bag nor for nothing.
    var isOfEntry: Bool { slot != .wholeBag && slot != .nothing }

    /// The key's name.
    public var description: String { name }
}

/// Where in a bag a key points.
enum ContentSlot: UInt8, Sendable {
    case bodyData, bodyObject
    /// Any other entry, found by name.
    case entry
    /// Not an entry but the whole bag.
    case wholeBag
    /// Nothing is read or written.
    case nothing

    init(entryNamed name: String) {
        self =
            switch name {
            case "bodyData": .bodyData
            case "bodyObject": .bodyObject
            default: .entry
            }
    }
}
