import Foundation
import SteplineSupport

/// The decoder of one field.
struct CSVField: Decoder, SingleValueDecodingContainer {
    let record: CSVRecord
    let position: Int
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var text: String { record[position] ?? "" }
    var isEmpty: Bool { text.isEmpty }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notFlat }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw notFlat
    }

    func decodeNil() -> Bool { isEmpty }
    func decode(_ type: String.Type) throws -> String { text }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch text.lowercased() {
        case "true", "1": return true
        case "false", "0": return false
        default: throw wrong(type)
        }
    }

    func decode(_ type: Double.Type) throws -> Double { try parsed { Double($0) } }
    func decode(_ type: Float.Type) throws -> Float { try parsed { Float($0) } }
    func decode(_ type: Int.Type) throws -> Int { try parsed { Int($0) } }
    func decode(_ type: Int8.Type) throws -> Int8 { try parsed { Int8($0) } }
    func decode(_ type: Int16.Type) throws -> Int16 { try parsed { Int16($0) } }
    func decode(_ type: Int32.Type) throws -> Int32 { try parsed { Int32($0) } }
    func decode(_ type: Int64.Type) throws -> Int64 { try parsed { Int64($0) } }
    func decode(_ type: Int128.Type) throws -> Int128 { try parsed { Int128($0) } }
    func decode(_ type: UInt.Type) throws -> UInt { try parsed { UInt($0) } }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try parsed { UInt8($0) } }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try parsed { UInt16($0) } }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try parsed { UInt32($0) } }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try parsed { UInt64($0) } }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try parsed { UInt128($0) } }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value: Any? =
            switch type {
            case is Date.Type: ISODate.date(of: text)
            case is URL.Type: URL(string: text)
            case is Data.Type: Data(base64Encoded: text)
            case is Decimal.Type: Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
            default: try own(type)
            }
        guard let value = value as? T else { throw wrong(type) }
        return value
    }

    /// Decodes a type with its own `init(from:)`; adds the field's place to its errors.
    private func own<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try T(from: self)
        } catch let error as CSVError {
            throw error
        } catch {
            throw wrong(type, error)
        }
    }

    private func parsed<T>(_ parse: (String) -> T?) throws -> T {
        guard let value = parse(text) else { throw wrong(T.self) }
        return value
    }

    private func wrong(_ type: Any.Type, _ cause: (any Error)? = nil) -> CSVError {
        CSVError(
            .wrongValue, "\"\(text)\" can't be decoded as \(type)", line: place.line,
            column: place.column, field: name, underlying: cause)
    }

    var notFlat: CSVError {
        CSVError(
            .notFlat, "A field holds no list and no other record", line: place.line,
            column: place.column, field: name)
    }

    private var place: CSVPlace { record.place(position) }
    private var name: String? { record.names.indices.contains(position) ? record.names[position] : nil }
}
