import Foundation

extension Content {
    /// Creates content with a value in the default entry of its type; see ``ContentKey/body``.
    ///
    /// - Parameter value: The value.
    public init<Value: Sendable>(body value: Value) {
        self.init()
        store(value, for: .body)
    }

    /// The entry with this key; nil if there is no entry of this type.
    ///
    /// Setting nil removes the entry. ``ContentKey/content`` reads and replaces the whole content.
    public subscript<Value>(key: ContentKey<Value>) -> Value? {
        get {
            // An absent entry is common: don't create the error.
            if !isOptional(Value.self), !holds(key.slot, key.name) { return nil }
            return try? value(for: key)
        }
        set {
            if let newValue { store(newValue, for: key) } else { remove(key) }
        }
    }

    /// The entry with this name, of any type; setting nil removes the entry.
    public subscript(name: String) -> (any Sendable)? {
        get { storedValue(ContentSlot(entryNamed: name), name) }
        set { setStoredValue(newValue.flatMap(unwrapped), ContentSlot(entryNamed: name), name) }
    }

    /// Returns the entry with this key.
    ///
    /// - Parameter key: The key of the entry.
    /// - Returns: The value; nil for an absent entry of an Optional type.
    /// - Throws: A ``PipelineError`` that names the key and both types. `.missingInput` if the entry is absent,
    ///   `.typeMismatch` if it has another type.
    public func value<Value>(for key: ContentKey<Value>) throws -> Value {
        switch key.slot {
        case .wholeBag:
            // With another type, `cast` below throws the error that names both types.
            if let bag = self as? Value { return bag }
        case .nothing:
            if let nothing = () as? Value { return nothing }
        case .bodyData:
            // Fast path: nearly all reads of bytes end here, without a cast through an existential.
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

    /// Returns the content with a step's output stored in it.
    func storing<Value: Sendable>(_ output: Value, for key: ContentKey<Value>) -> Content {
        var bag = self
        bag.store(output, for: key)
        return bag
    }

    mutating func store<Value: Sendable>(_ value: Value, for key: ContentKey<Value>) {
        switch key.slot {
        case .wholeBag:
            // A nil of the type `Content?` leaves the content unchanged.
            if let bag = value as? Content { self = bag }
        case .nothing:
            break
        case .bodyData, .bodyObject, .entry:
            // A value typed as an existential may contain an Optional.
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
