/// The encoder of a list in place of a field: every operation throws.
struct CSVNested: UnkeyedEncodingContainer {
    let name: String?

    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    mutating func encodeNil() throws { throw CSVError.notFlat(name) }
    mutating func encode<T: Encodable>(_ value: T) throws { throw CSVError.notFlat(name) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CSVNestedKeys(name: name))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    mutating func superEncoder() -> any Encoder { CSVFieldEncoder(row: CSVRow(), name: name ?? "") }
}

/// The encoder of a nested record in place of a field: every operation throws.
struct CSVNestedKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let name: String?

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws { throw CSVError.notFlat(name) }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw CSVError.notFlat(name) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(CSVNestedKeys<Nested>(name: name)) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        CSVNested(name: name)
    }

    mutating func superEncoder() -> any Encoder { CSVFieldEncoder(row: CSVRow(), name: name ?? "") }
    mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

extension CSVError {
    fileprivate static func notFlat(_ name: String?) -> CSVError {
        CSVError(.notFlat, "A record holds no lists and no other records", field: name)
    }
}
