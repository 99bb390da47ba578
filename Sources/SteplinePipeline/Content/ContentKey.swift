/// The name of a content entry together with the type of its value.
///
/// Declare your own key in one line, and use it as `.count`:
///
///     extension ContentKey where Value == Int { static var count: Self { .init("count") } }
///
/// A key with an Optional `Value` names an entry that may be absent. An absent entry reads as nil, and writing nil
/// removes the entry.
public struct ContentKey<Value: Sendable>: Hashable, Sendable, CustomStringConvertible {
    /// The name, which also accesses the entry without a type.
    public let name: String

    let slot: ContentSlot

    /// Creates a key for the entry with this name.
    public init(_ name: String) {
        self.name = name
        slot = ContentSlot(entryNamed: name)
    }

    init(_ name: String, slot: ContentSlot) {
        self.name = name
        self.slot = slot
    }

    /// Whether the key names an entry, not the whole content and not nothing.
    var isOfEntry: Bool { slot != .wholeBag && slot != .nothing }

    /// The key's name.
    public var description: String { name }
}

/// The part of the content that a key refers to.
enum ContentSlot: UInt8, Sendable {
    case bodyData, bodyObject
    /// Another entry, found by its name.
    case entry
    /// The whole content.
    case wholeBag
    /// No entry: nothing is read or written.
    case nothing

    init(entryNamed name: String) {
        self =
            switch name {
            case "bodyData": .bodyData
            case "bodyObject": .bodyObject
            // No name selects `wholeBag` or `nothing`: an entry may have the name "content".
            default: .entry
            }
    }
}
