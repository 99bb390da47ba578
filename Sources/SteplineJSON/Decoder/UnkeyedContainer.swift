/// The decoding container of an array's elements.
///
/// It fits inline in an existential, so creating it doesn't allocate.
struct UnkeyedContainer: UnkeyedDecodingContainer {
    private let state: DecodingState
    private let array: Int32
    private var next: Int32
    private var position: Int32 = 0
    private let depth: Int32

    init(_ state: DecodingState, _ index: Int, _ depth: Int) throws {
        guard state.tape[index].isArray else { throw state.typeMismatch([Any].self, index) }
        try state.checkDepth(depth, index)
        self.state = state
        array = Int32(truncatingIfNeeded: index)
        next = array + 1
        self.depth = Int32(truncatingIfNeeded: depth)
    }

    var codingPath: [any CodingKey] { state.path(to: Int(array)) }
    var count: Int? { state.tape[Int(array)].lower }
    var currentIndex: Int { Int(position) }
    var isAtEnd: Bool { Int(position) >= state.tape[Int(array)].lower }

    /// Decodes the next element, and advances only if decoding succeeds.
    @inline(__always)
    private mutating func element<T>(
        _ type: T.Type, _ decode: (DecodingState, Int, Int) throws -> T
    ) throws -> T {
        guard !isAtEnd else { throw state.atEnd(type, Int(array)) }
        let value = try decode(state, Int(next), Int(depth) + 1)
        next = Int32(truncatingIfNeeded: state.tape.next(Int(next)))
        position += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw state.atEnd(Never.self, Int(array)) }
        guard state.tape[Int(next)].isNull else { return false }
        next += 1
        position += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try element(type) { state, index, _ in try state.bool(index) }
    }
    mutating func decode(_ type: String.Type) throws -> String {
        try element(type) { state, index, _ in try state.string(index) }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try element(type) { state, index, _ in try state.double(index) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try element(type) { state, index, _ in try state.float(index) }
    }
    @inline(__always)
    mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        try element(type) { state, index, _ in try state.integer(type, index) }
    }

    // The protocol has defaults for these two, which win over a generic method.
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try element(type) { state, index, _ in try state.integer(type, index) }
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try element(type) { state, index, _ in try state.integer(type, index) }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try element(type) { state, index, depth in try state.decode(type, index, depth: depth) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<
        Key
    > {
        try element(KeyedDecodingContainer<Key>.self) { state, index, depth in
            KeyedDecodingContainer(try KeyedContainer<Key>(state, index, depth))
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try element((any UnkeyedDecodingContainer).self) { state, index, depth in
            try UnkeyedContainer(state, index, depth)
        }
    }

    mutating func superDecoder() throws -> any Swift.Decoder {
        try element((any Swift.Decoder).self) { state, index, depth in
            ValueDecoder(state: state, index: index, depth: depth)
        }
    }
}
