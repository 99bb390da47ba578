/// The decoding container of an object's members.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let state: DecodingState
    let object: Int
    let depth: Int

    init(_ state: DecodingState, _ index: Int, _ depth: Int) throws {
        guard state.tape[index].isObject else { throw state.typeMismatch([String: Any].self, index) }
        try state.checkDepth(depth, index)
        state.note(Key.self, of: index)
        self.state = state
        object = index
        self.depth = depth
    }

    var codingPath: [any CodingKey] { state.path(to: object) }

    var allKeys: [Key] {
        guard state.usesPlainKeys else {
            let keys = state.converted(object).places.sorted { $0.value < $1.value }
            return keys.compactMap { Key(stringValue: $0.key) }
        }
        return JSON(tape: state.tape, index: object).members.compactMap { Key(stringValue: $0.key) }
    }

    @inline(__always)
    func find(_ key: Key) -> Int? { state.find(key.stringValue, in: object, depth: depth) }

    @inline(__always)
    func place(_ key: Key) throws -> Int {
        guard let place = find(key) else { throw state.keyNotFound(key, object) }
        return place
    }

    /// Returns the index of the value under a key; nil if missing or null.
    @inline(__always)
    func present(_ key: Key) -> Int? {
        guard let place = find(key), !state.tape[place].isNull else { return nil }
        return place
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try state.tape[place(key)].isNull }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try state.bool(place(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try state.string(place(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try state.double(place(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try state.float(place(key)) }
    @inline(__always)
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try state.integer(type, place(key))
    }

    // The protocol has defaults for these two, which win over a generic method.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try state.integer(type, place(key)) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try state.integer(type, place(key))
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try state.decode(type, place(key), depth: depth + 1)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try KeyedContainer<Nested>(state, place(key), depth + 1))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try UnkeyedContainer(state, place(key), depth + 1)
    }

    func superDecoder() throws -> any Swift.Decoder { superDecoder(PathKey.superKey) }

    func superDecoder(forKey key: Key) throws -> any Swift.Decoder { superDecoder(key) }

    /// Returns a decoder for the value under a key; a missing value is decoded as null.
    private func superDecoder(_ key: any CodingKey) -> any Swift.Decoder {
        guard let place = state.find(key.stringValue, in: object, depth: depth) else {
            let absent = state.absent(key, in: object)
            return ValueDecoder(state: absent, index: absent.root, depth: depth + 1)
        }
        return ValueDecoder(state: state, index: place, depth: depth + 1)
    }
}
