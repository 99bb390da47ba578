/// The values of a list in order.
struct ListValues: UnkeyedDecodingContainer {
    let items: [DecodedValue]
    private let trail: CodingTrail
    let state: DecodingState
    private(set) var currentIndex = 0

    init(items: [DecodedValue], trail: CodingTrail, state: DecodingState) {
        self.items = items
        self.trail = trail
        self.state = state
    }

    var codingPath: [any CodingKey] { trail.path }

    var count: Int? { items.count }

    var isAtEnd: Bool { currentIndex >= items.count }

    private func current() throws -> ValueDecoder {
        let path = CodingTrail(PlainKey(intValue: currentIndex), after: trail)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, state.context(path.path, "the list has only \(items.count) values"))
        }
        return ValueDecoder(items[currentIndex], path, state)
    }

    mutating func decodeNil() throws -> Bool {
        let isNil = try current().decodeNil()
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try current().unbox(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try current().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try current().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Swift.Decoder {
        let decoder = try current()
        currentIndex += 1
        return decoder
    }
}
