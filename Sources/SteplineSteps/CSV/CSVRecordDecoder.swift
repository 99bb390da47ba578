import Foundation

/// The decoder of a record as a flat type.
struct CSVRecordDecoder: Decoder {
    let record: CSVRecord

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields<Key>(record: record))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notFlat }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard record.count == 1 else { throw notFlat }
        return CSVField(record: record, position: 0, codingPath: [])
    }

    private var notFlat: CSVError {
        CSVError(.notFlat, "A record is decoded by the names of its fields", line: record.line)
    }

    private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let record: CSVRecord

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { record.names.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { record.header.positions[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try field(key).isEmpty }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try field(key).text }
        func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try field(key).decode(type) }
        func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try field(key).decode(type) }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try field(key).decode(type) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw try field(key).notFlat }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw try field(key).notFlat
        }

        func superDecoder() throws -> any Decoder { CSVRecordDecoder(record: record) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try field(key) }

        private func field(_ key: Key) throws -> CSVField {
            guard let position = record.header.positions[key.stringValue] else {
                throw CSVError(
                    .wrongValue, "There is no field of that name", line: record.line, field: key.stringValue)
            }
            return CSVField(record: record, position: position, codingPath: [key])
        }
    }
}
