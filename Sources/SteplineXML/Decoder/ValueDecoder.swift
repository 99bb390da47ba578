import Foundation

/// The `Decoder` for the decoded types.
struct ValueDecoder: Swift.Decoder {
    let value: DecodedValue
    let trail: CodingTrail
    let state: DecodingState

    var codingPath: [any CodingKey] { trail.path }

    var userInfo: [CodingUserInfoKey: Any] { state.settings.userInfo }

    init(_ value: DecodedValue, _ trail: CodingTrail, _ state: DecodingState) {
        self.value = value
        self.trail = trail
        self.state = state
        if let line = value.line { state.line = line }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try checkRepetition()
        return KeyedDecodingContainer(KeyedValues<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ListValues(items: value.items(state), trail: trail, state: state)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func checkRepetition() throws {
        guard state.settings.refusesRepetition, case .list(let list) = value, list.count > 1
        else { return }
        throw DecodingError.dataCorrupted(
            state.context(
                codingPath, "there are \(list.count) elements '\(list[0].name)', but one is expected")
        )
    }

    /// Decodes any type, including those with a special format.
    func unbox<T: Decodable>(_ type: T.Type) throws -> T {
        switch type {
        case is Date.Type: try cast(date())
        case is URL.Type: try cast(AddressText.url(ScalarText.trimmed(single())))
        case is Decimal.Type: try cast(DecimalText.decimal(ScalarText.trimmed(single())))
        case is Data.Type: try cast(Data(base64Encoded: single(), options: .ignoreUnknownCharacters))
        default: try T(from: self)
        }
    }

    private func cast<T>(_ found: Any?) throws -> T {
        guard let found = found as? T else {
            throw DecodingError.dataCorrupted(
                state.context(codingPath, "'\(value.text.prefix(100))' can't be read as \(T.self)"))
        }
        return found
    }

    private func date() throws -> Date? {
        let text = try single()
        return switch state.settings.dateStrategy {
        case .automatic: DateText.any(text)
        case .iso8601: DateText.iso8601(text)
        case .rfc822: DateText.written(text)
        case .secondsSince1970:
            (ScalarText.value(text) as Double?).flatMap {
                $0.isFinite ? Date(timeIntervalSince1970: $0) : nil
            }
        case .custom(let read): read(text)
        }
    }

    // White space in mixed content separates words.
    private var isTrimmed: Bool {
        if state.settings.trimsTexts, !value.isPart { return true }
        return false
    }

    private func single() throws -> String {
        try checkRepetition()
        return value.text
    }

    func scalar<T: LosslessStringConvertible>(_ type: T.Type) throws -> T {
        let text = try isTrimmed ? ScalarText.trimmed(single()) : single()
        guard let found: T = ScalarText.value(text) else {
            throw state.mismatch(type, codingPath, "'\(text.prefix(100))' can't be read as \(type)")
        }
        return found
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isMarkedNil }
    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type) throws -> T { try scalar(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try unbox(type) }
}
