/// The values of a list, in order.
struct ListValues: UnkeyedDecodingContainer {
    let items: [DecodedValue]
    let codingPath: [any CodingKey]
    let state: DecodingState
    private(set) var currentIndex = 0

    init(items: [DecodedValue], codingPath: [any CodingKey], state: DecodingState) {
        self.items = items
        self.codingPath = codingPath
        self.state = state
    }

    var count: Int? { items.count }

    var isAtEnd: Bool { currentIndex >= items.count }

    private func current() throws -> ValueDecoder {
        let path = codingPath + [PlainKey(intValue: currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self, state.context(path, "the list has only \(items.count) values"))
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
