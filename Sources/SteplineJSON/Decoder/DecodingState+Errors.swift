extension DecodingState {
    @inline(never)
    func typeMismatch(_ type: Any.Type, _ index: Int, evenIfNull: Bool = false) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path(to: index),
            debugDescription: "Expected to decode \(type) but found \(describe(index)) instead.")
        if tape[index].isNull, !evenIfNull { return .valueNotFound(type, context) }
        return .typeMismatch(type, context)
    }

    @inline(never)
    func corrupted(_ message: String, _ index: Int) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: index), debugDescription: message))
    }

    @inline(never)
    func keyNotFound(_ key: any CodingKey, _ object: Int) -> DecodingError {
        .keyNotFound(
            key,
            .init(
                codingPath: path(to: object),
                debugDescription: "No value associated with key \"\(key.stringValue)\"."))
    }

    @inline(never)
    func atEnd(_ type: Any.Type, _ array: Int) -> DecodingError {
        .valueNotFound(
            type,
            .init(
                codingPath: path(to: array) + [PathKey(tape[array].lower)],
                debugDescription: "Unkeyed container is at end."))
    }

    @inline(never)
    func tooDeep(_ depth: Int, _ index: Int) -> DecodingError {
        let limit = depth > maximumDepth ? "\(maximumDepth) levels" : "the stack holds"
        return corrupted("Values are nested deeper than \(limit).", index)
    }

    private func describe(_ index: Int) -> String {
        switch tape[index].kind {
        case .null: "null"
        case .yes, .no: "bool"
        case .integer, .real: "number"
        case .text, .escapedText: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}
