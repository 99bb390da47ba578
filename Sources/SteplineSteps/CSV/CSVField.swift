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

    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type) throws -> T { try number(type) }

    private func number<T: LosslessStringConvertible>(_ type: T.Type) throws -> T {
        guard let value = T(text) else { throw wrong(type) }
        return value
    }

    // The protocol has defaults for these two, which win over a generic method.
    func decode(_ type: Int128.Type) throws -> Int128 { try number(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try number(type) }

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
