/// What an array of any decodable type is known by, at run time, so that its elements are decoded into memory
/// that is there at once, without a container.
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
    /// The type as a list, if it is one; the runtime takes its time to answer, so that it is asked once for
    /// each type.
    func listType(_ type: any Decodable.Type) -> (any ListDecodable.Type)? {
        let id = ObjectIdentifier(type)
        if let known = listTypes[id] { return known }
        let list = type as? any ListDecodable.Type
        listTypes[id] = .some(list)
        return list
    }
}
