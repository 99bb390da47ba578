import Foundation

extension Content {
    /// The entry under a key, or nil if there is none of that type; setting nil removes it.
    ///
    /// ``ContentKey/content`` reads the bag itself, and setting it replaces the bag.
    public subscript<Value>(key: ContentKey<Value>) -> Value? {
        get { try? value(for: key) }
        set {
            if let newValue { store(newValue, for: key) } else { remove(key) }
        }
    }

    /// The entry of that name, whatever its type; setting nil removes it.
    public subscript(name: String) -> (any Sendable)? {
        get { storedValue(ContentSlot(entryNamed: name), name) }
        set { setStoredValue(newValue.flatMap(unwrapped), ContentSlot(entryNamed: name), name) }
    }

    /// The entry under a key.
    ///
    /// Throws a ``PipelineError`` that names the key, the type wanted and the type found: `.missingInput`
    /// if there is no such entry (unless the key's type is Optional), `.typeMismatch` if it is of another type.
    public func value<Value>(for key: ContentKey<Value>) throws -> Value {
        switch key.slot {
        case .wholeBag:
            if let bag = self as? Value { return bag }
        case .nothing:
            if let nothing = () as? Value { return nothing }
        case .bodyData:
            if Value.self == Data.self, let bytes = bodyData as? Value { return bytes }
        case .bodyObject, .entry:
            break
        }
        return try cast(storedValue(key.slot, key.name), for: key)
    }

    private func cast<Value>(_ found: (any Sendable)?, for key: ContentKey<Value>) throws -> Value {
        guard let found else {
            if let optional = Value.self as? any OptionalValue.Type, let absent = optional.absent as? Value {
                return absent
            }
            throw PipelineError.missingInput(key.erased)
        }
        guard let value = found as? Value else {
            throw PipelineError.typeMismatch(key.erased, found: type(of: found))
        }
        return value
    }

    /// The bag with a step's output in it.
    func storing<Value: Sendable>(_ output: Value, for key: ContentKey<Value>) -> Content {
        var bag = self
        bag.store(output, for: key)
        return bag
    }

    mutating func store<Value: Sendable>(_ value: Value, for key: ContentKey<Value>) {
        switch key.slot {
        case .wholeBag:
            if let bag = value as? Content { self = bag }
        case .nothing:
            break
        case .bodyData, .bodyObject, .entry:
            // A value that goes by a protocol could be an Optional in disguise.
            let isPlain = !isOptional(Value.self) && Value.self != (any Sendable).self
            setStoredValue(isPlain ? value : unwrapped(value), key.slot, key.name)
        }
    }

    private mutating func remove<Value>(_ key: ContentKey<Value>) {
        switch key.slot {
        case .wholeBag: self = Content()
        case .nothing: break
        case .bodyData, .bodyObject, .entry: setStoredValue(nil, key.slot, key.name)
        }
    }
}
