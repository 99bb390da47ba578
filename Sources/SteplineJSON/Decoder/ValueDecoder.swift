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
    @inline(__always)
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        try state.integer(type, index)
    }

    // The protocol has defaults for these two, which win over a generic method.
    func decode(_ type: Int128.Type) throws -> Int128 { try state.integer(type, index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try state.integer(type, index) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // Increments the depth: a type that decodes itself through a single value container must not recurse forever.
        try state.decode(type, index, depth: depth + 1)
    }
}
