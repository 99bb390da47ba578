import SteplineJSON

extension FlowFunction {
    static let collections: [FlowFunction] = [
        FlowFunction("length", 1...1, .number, "length(value): of a text its letters, of a list its elements")
        {
            values in
            switch values[0].kind {
            case .string: return JSON(try text(values[0]).count)
            case .array, .object: return JSON(values[0].count)
            default: throw Misuse(message: "\(values[0].article) has no length")
            }
        },
        FlowFunction(
            "contains", 2...2, .bool, "contains(text or list, part): true or false", comparesWhole: true
        ) { values in
            switch values[0].kind {
            case .string: return JSON(try text(values[0]).contains(text(values[1])))
            case .array: return JSON(try list(values[0]).contains { $0.isSame(as: values[1]) })
            case .object: return JSON(values[0][try text(values[1])] != nil)
            default: throw Misuse(message: "\(values[0].article) contains nothing")
            }
        },
        FlowFunction("first", 1...1, nil, "first(list): its first element, or null") { values in
            try list(values[0]).first ?? .null
        },
        FlowFunction("last", 1...1, nil, "last(list): its last element, or null") { values in
            try list(values[0]).last ?? .null
        },
        FlowFunction(
            "slice", 2...3, nil, "slice(text or list, from, to): a part, by positions from 0", makesMuch: true
        ) { values in
            let from = try whole(values[1], in: 0...Int(Int32.max))
            let to = values.count > 2 ? try whole(values[2], in: 0...Int(Int32.max)) : Int(Int32.max)
            if values[0].kind == .string {
                return JSON(String(try text(values[0]).prefix(to).dropFirst(from)))
            }
            return try JSON(elements: list(values[0]).prefix(to).dropFirst(from))
        },
        FlowFunction("keys", 1...1, .array, "keys(object): the names of its members", makesMuch: true) {
            values in
            guard values[0].kind == .object else { throw Misuse(message: "an object is wanted") }
            return try JSON(elements: values[0].keys.map { JSON($0) })
        },
    ]
}
