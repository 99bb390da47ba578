import Foundation

/// The encoder of a flat value as a record.
struct CSVRecordEncoder: Encoder {
    let row: CSVRow

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Fields<Key>(row: row))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { CSVNested(name: nil) }
    func singleValueContainer() -> any SingleValueEncodingContainer { CSVFieldEncoder(row: row, name: "0") }

    private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let row: CSVRow

        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) { row.add(key.stringValue, "") }
        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            try field(key).encode(value)
        }

        // The default implementations throw.
        mutating func encode(_ value: Int128, forKey key: Key) throws { row.add(key.stringValue, "\(value)") }
        mutating func encode(_ value: UInt128, forKey key: Key) throws {
            row.add(key.stringValue, "\(value)")
        }

        // The default implementations would leave out a field for nil.
        mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try any(value, key) }
        mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
            try any(value, key)
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(CSVNestedKeys(name: key.stringValue)) }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            CSVNested(name: key.stringValue)
        }

        mutating func superEncoder() -> any Encoder { CSVRecordEncoder(row: row) }
        mutating func superEncoder(forKey key: Key) -> any Encoder { field(key) }

        private func any(_ value: (some Encodable)?, _ key: Key) throws {
            guard let value else { return row.add(key.stringValue, "") }
            try field(key).encode(value)
        }

        private func field(_ key: Key) -> CSVFieldEncoder { CSVFieldEncoder(row: row, name: key.stringValue) }
    }
}

/// The encoder of one field.
struct CSVFieldEncoder: Encoder, SingleValueEncodingContainer {
    let row: CSVRow
    let name: String

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CSVNestedKeys(name: name))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { CSVNested(name: name) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { row.add(name, "") }
    func encode(_ value: Int128) throws { row.add(name, "\(value)") }
    func encode(_ value: UInt128) throws { row.add(name, "\(value)") }

    func encode<T: Encodable>(_ value: T) throws {
        switch value {
        case let text as String: row.add(name, text)
        case let date as Date:
            row.add(
                name, date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: date.hasFraction)))
        case let url as URL: row.add(name, url.absoluteString)
        case let data as Data: row.add(name, data.base64EncodedString())
        case let decimal as Decimal: row.add(name, decimal.description)
        case let truth as Bool: row.add(name, truth ? "true" : "false")
        case let number as any BinaryInteger: row.add(name, "\(number)")
        case let number as any BinaryFloatingPoint: row.add(name, "\(number)")
        default: try encodeByItself(value)
        }
    }

    private func encodeByItself(_ value: some Encodable) throws {
        let before = row.fields.count
        try value.encode(to: self)
        // An empty list requests a container but writes nothing.
        guard row.fields.count == before + 1 else {
            throw CSVError(.notFlat, "A record holds no lists and no other records", field: name)
        }
    }
}

extension Date {
    fileprivate var hasFraction: Bool {
        let seconds = timeIntervalSinceReferenceDate
        return seconds != seconds.rounded(.down)
    }
}
