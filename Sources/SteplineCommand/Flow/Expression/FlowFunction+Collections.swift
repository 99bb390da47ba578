import SteplineJSON
import SteplineSupport

extension FlowFunction {
    static let collections: [FlowFunction] = [
        FlowFunction(
            "length", [.textListOrObject], .number,
            "length(value): the count of characters or elements"
        ) {
            values in
            values[0].kind == .string ? JSON(try text(values[0]).count) : JSON(values[0].count)
        },
        FlowFunction(
            "contains", [.textListOrObject, .any], .bool, "contains(text or list, part): true or false"
        ) { values in
            switch values[0].kind {
            case .string: return JSON(try text(values[0]).holds(text(values[1])))
            case .array: return JSON(try list(values[0]).contains { $0.isSame(as: values[1]) })
            default: return JSON(values[0][try text(values[1])] != nil)
            }
        },
        FlowFunction("first", [.list], nil, "first(list): its first element, or null") { values in
            try list(values[0]).first ?? .null
        },
        FlowFunction("last", [.list], nil, "last(list): its last element, or null") { values in
            try list(values[0]).last ?? .null
        },
        FlowFunction(
            "slice", [.textOrList, .number, .maybe(.number)], nil,
            "slice(text or list, from, to): a part, by positions from 0", makesMuch: true
        ) { values in
            let from = try whole(values[1], in: 0...Int(Int32.max))
            let to = values.count > 2 ? try whole(values[2], in: 0...Int(Int32.max)) : Int(Int32.max)
            if values[0].kind == .string {
                return JSON(String(try text(values[0]).prefix(to).dropFirst(from)))
            }
            return try JSON(elements: list(values[0]).prefix(to).dropFirst(from))
        },
        FlowFunction("keys", [.object], .array, "keys(object): the names of its members", makesMuch: true) {
            values in
            try JSON(elements: values[0].keys.map { JSON($0) })
        },
    ]
}
