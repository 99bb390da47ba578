/// Recognizes arrays of decodable elements at run time.
///
/// Elements are decoded directly into the array's storage, without an unkeyed container.
protocol ListDecodable {
    static func decode(with state: DecodingState, _ array: Int, depth: Int) throws -> Self
}

extension Array: ListDecodable where Element: Decodable {
    static func decode(with state: DecodingState, _ array: Int, depth: Int) throws -> [Element] {
        var result: [Element] = []
        var index = array &+ 1
        let end = array &+ state.tape[array].upper
        result.reserveCapacity(state.tape[array].lower)
        while index < end {
            result.append(try state.decode(Element.self, index, depth: depth &+ 1))
            index = state.tape.next(index)
        }
        return result
    }
}

extension DecodingState {
    /// Returns the type as a list, if it is one; the cast is slow, so the result is cached per type.
    func listType(_ type: any Decodable.Type) -> (any ListDecodable.Type)? {
        let id = ObjectIdentifier(type)
        if let known = listTypes[id] { return known }
        let list = type as? any ListDecodable.Type
        listTypes[id] = .some(list)
        return list
    }
}
