/// The decoder of one value.
///
/// It fits inline in an existential, so creating it doesn't allocate.
struct ValueDecoder: Swift.Decoder {
    let state: DecodingState
    private let place: Int32
    private let level: Int32

    @inline(__always)
    init(state: DecodingState, index: Int, depth: Int) {
        self.state = state
        place = Int32(truncatingIfNeeded: index)
        level = Int32(truncatingIfNeeded: depth)
    }

    @inline(__always) var index: Int { Int(place) }
    @inline(__always) var depth: Int { Int(level) }

    var codingPath: [any CodingKey] { state.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try KeyedContainer<Key>(state, index, depth))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedContainer(state, index, depth)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { state.tape[index].isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try state.bool(index) }
    func decode(_ type: String.Type) throws -> String { try state.string(index) }
    func decode(_ type: Double.Type) throws -> Double { try state.double(index) }
    func decode(_ type: Float.Type) throws -> Float { try state.float(index) }
    func decode(_ type: Int.Type) throws -> Int { try state.integer(type, index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try state.integer(type, index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try state.integer(type, index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try state.integer(type, index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try state.integer(type, index) }
    func decode(_ type: UInt.Type) throws -> UInt { try state.integer(type, index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try state.integer(type, index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try state.integer(type, index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try state.integer(type, index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try state.integer(type, index) }

    func decode(_ type: Int128.Type) throws -> Int128 { try state.integer(type, index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try state.integer(type, index) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // Increments the depth: a type that decodes itself through a single value container must not recurse forever.
        try state.decode(type, index, depth: depth + 1)
    }
}
