/// A content key whose type is known only at run time; steps declare their inputs and outputs with these keys.
public struct AnyContentKey: Hashable, Sendable, CustomStringConvertible {
    /// The entry's name.
    public let name: String

    /// The type of the value; for an entry that may be absent, an Optional.
    package let valueType: Any.Type

    /// Whether the entry may be absent.
    package let isOptional: Bool

    let slot: ContentSlot

    /// Forgets the type of a key at compile time.
    package init<Value>(_ key: ContentKey<Value>) {
        name = key.name
        valueType = Value.self
        slot = key.slot
        isOptional = SteplinePipeline.isOptional(Value.self)
    }

    /// Returns whether two keys have the same entry and type.
    public static func == (left: AnyContentKey, right: AnyContentKey) -> Bool {
        left.name == right.name && left.slot == right.slot && left.valueType == right.valueType
    }

    /// Hashes the entry's name and type.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(slot)
        hasher.combine(ObjectIdentifier(valueType))
    }

    /// The name, and the type unless the name implies it: `bodyData`, `count: Int`.
    public var description: String {
        switch slot {
        case .bodyData, .wholeBag, .nothing: name
        case .bodyObject, .entry: "\(name): \(valueType)"
        }
    }

    /// The type of the value without its Optional.
    var presentType: Any.Type {
        guard isOptional, let optional = valueType as? any OptionalValue.Type else { return valueType }
        return optional.wrappedType
    }

    /// Returns whether values of `type` also have this key's type, such as instances of a subclass.
    func acceptsType(_ type: Any.Type) -> Bool {
        // The generic parameter opens the metatype, which allows the check with `is`.
        func accepts<Present>(_ present: Present.Type) -> Bool { type is Present.Type }
        return accepts(presentType)
    }
}

extension ContentKey {
    /// The key without its type at compile time.
    public var erased: AnyContentKey { AnyContentKey(self) }
}
