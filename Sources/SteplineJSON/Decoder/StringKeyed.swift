/// Recognizes dictionaries with string keys at run time, whose keys no key strategy converts.
private protocol StringKeyed {
    static var valueType: any Decodable.Type { get }
    static func make(_ members: [String: any Decodable]) -> Self?
}

extension Dictionary: StringKeyed where Key == String, Value: Decodable {
    fileprivate static var valueType: any Decodable.Type { Value.self }

    fileprivate static func make(_ members: [String: any Decodable]) -> Self? {
        let typed = members.compactMapValues { $0 as? Value }
        return typed.count == members.count ? typed : nil
    }
}

extension DecodingState {
    /// Decodes an object; a dictionary with string keys gets the keys unconverted.
    @inline(never)
    func withoutKeyStrategy<T: Decodable>(_ type: T.Type, _ index: Int, depth: Int) throws -> T {
        if let keyed = type as? any StringKeyed.Type,
            let members = try stringKeyed(keyed, index, depth: depth) as? T
        {
            return members
        }
        return try T(from: ValueDecoder(state: self, index: index, depth: depth))
    }

    private func stringKeyed(_ type: any StringKeyed.Type, _ object: Int, depth: Int) throws -> Any? {
        noteStringKeys(of: object)
        var members: [String: any Decodable] = [:]
        var index = object + 1
        while index < object + tape[object].upper {
            members[tape.text(tape[index])] = try decode(type.valueType, index + 1, depth: depth + 1)
            index = tape.next(index + 1)
        }
        return type.make(members)
    }
}
