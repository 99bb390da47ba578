import Foundation

/// An encodable wrapper that writes sets and dictionaries in a fixed order, at any depth.
///
/// A `Set` encodes its elements in hash order, which differs in each process. So does a `Dictionary` whose keys aren't
/// coding keys. This wrapper sorts both by the bytes of their JSON. All other values encode themselves
/// through containers that wrap nested values again.
struct OrderedValue: Encodable {
    private let value: any Encodable

    init(_ value: any Encodable) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        if let elements = (value as? any HashedList)?.hashedElements {
            // Sorting by encoded bytes needs no Comparable elements.
            let sorted = try elements.map { (try ResultCodec.write(OrderedValue($0[0])), $0) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            var container = encoder.unkeyedContainer()
            for value in sorted.lazy.flatMap(\.1) { try container.encode(OrderedValue(value)) }
        } else if value is Date || value is Data || value is URL || value is Decimal {
            // The encoder has special formats for these types.
            var container = encoder.singleValueContainer()
            try container.encode(value)
        } else {
            try value.encode(to: OrderedEncoder(base: encoder))
        }
    }
}

/// A collection that encodes its elements in hash order.
private protocol HashedList {
    /// The values of each element; nil if the collection encodes elements by key.
    var hashedElements: [[any Encodable]]? { get }
}

extension Set: HashedList where Element: Encodable {
    fileprivate var hashedElements: [[any Encodable]]? { map { [$0] } }
}

extension Dictionary: HashedList where Key: Encodable, Value: Encodable {
    fileprivate var hashedElements: [[any Encodable]]? {
        // String, Int and CodingKeyRepresentable keys become a keyed container, whose keys the encoder sorts.
        Key.self is any CodingKeyRepresentable.Type ? nil : map { [$0.key, $0.value] }
    }
}

/// An encoder whose containers wrap each value in ``OrderedValue``.
private struct OrderedEncoder: Encoder {
    let base: any Encoder

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(OrderedKeyed(base: base.container(keyedBy: type)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { OrderedUnkeyed(base: base.unkeyedContainer()) }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        OrderedSingle(base: base.singleValueContainer())
    }
}

// Implementing the generic `encode` is enough: it also satisfies the requirements for plain types.

private struct OrderedKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var base: KeyedEncodingContainer<Key>

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try base.encode(OrderedValue(value), forKey: key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(OrderedKeyed<Nested>(base: base.nestedContainer(keyedBy: type, forKey: key)))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        OrderedUnkeyed(base: base.nestedUnkeyedContainer(forKey: key))
    }

    mutating func superEncoder() -> any Encoder { OrderedEncoder(base: base.superEncoder()) }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        OrderedEncoder(base: base.superEncoder(forKey: key))
    }
}

private struct OrderedUnkeyed: UnkeyedEncodingContainer {
    var base: any UnkeyedEncodingContainer

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int { base.count }

    mutating func encodeNil() throws { try base.encodeNil() }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try base.encode(OrderedValue(value)) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(OrderedKeyed<Nested>(base: base.nestedContainer(keyedBy: type)))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        OrderedUnkeyed(base: base.nestedUnkeyedContainer())
    }

    mutating func superEncoder() -> any Encoder { OrderedEncoder(base: base.superEncoder()) }
}

private struct OrderedSingle: SingleValueEncodingContainer {
    var base: any SingleValueEncodingContainer

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil() throws { try base.encodeNil() }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        // Plain types encode themselves by calling this method: don't wrap them again.
        switch value {
        case let value as Bool: try base.encode(value)
        case let value as String: try base.encode(value)
        case let value as Double: try base.encode(value)
        case let value as Float: try base.encode(value)
        case let value as any FixedWidthInteger & Encodable: try base.encode(value)
        default: try base.encode(OrderedValue(value))
        }
    }
}
