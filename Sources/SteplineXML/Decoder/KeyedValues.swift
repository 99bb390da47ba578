/// A collection that is empty if no element has its name.
private protocol PossiblyAbsent {
    static var absent: Any { get }
}

extension Array: PossiblyAbsent { fileprivate static var absent: Any { Self() } }
extension Set: PossiblyAbsent { fileprivate static var absent: Any { Self() } }

/// The values of an element by key.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    private let index: ChildIndex?

    init(decoder: ValueDecoder) {
        self.decoder = decoder
        if case .choice = decoder.value {
            index = nil
        } else {
            index = decoder.value.element.map { ChildIndex($0, decoder.state.names) }
        }
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.value.names(decoder.state).compactMap { Key(stringValue: $0) } }

    func find(_ key: any CodingKey) -> DecodedValue? {
        decoder.value.value(decoder.state.name(for: key), index, decoder.state)
    }

    private func below(_ key: any CodingKey) throws -> ValueDecoder {
        guard let value = find(key) else {
            if let line = decoder.value.line { decoder.state.line = line }
            let message = "there is no element or attribute '\(decoder.state.name(for: key))'"
            throw DecodingError.keyNotFound(key, decoder.state.context(codingPath, message))
        }
        return ValueDecoder(value, CodingTrail(key, after: decoder.trail), decoder.state)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { find(key)?.isMarkedNil ?? true }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let list = type as? any PossiblyAbsent.Type, find(key) == nil, let empty = list.absent as? T {
            return empty
        }
        return try below(key).unbox(type)
    }

    /// Decodes a scalar.
    func decode<T: Decodable & LosslessStringConvertible>(_ type: T.Type, forKey key: Key) throws -> T {
        try below(key).scalar(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let value = find(key), !value.isMarkedNil else { return nil }
        let below = ValueDecoder(value, CodingTrail(key, after: decoder.trail), decoder.state)
        return value.isBlank ? try? below.unbox(type) : try below.unbox(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try below(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try below(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Swift.Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Swift.Decoder { try below(key) }
}
