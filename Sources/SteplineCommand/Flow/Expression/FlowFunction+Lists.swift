import SteplineJSON
import SteplineSupport

extension FlowFunction {
    static let lists: [FlowFunction] = [
        FlowFunction(
            "sort", [.list, .maybe(.text)], .array,
            "sort(list, member): sorted, numbers before texts before others",
            makesMuch: true
        ) { values in
            let keyed = try list(values[0]).enumerated().map { place, element in
                (key: SortKey(try member(of: element, values)), place: place, element: element)
            }
            // Compare positions too, so that sorting is stable.
            let sorted = keyed.sorted { $0.key == $1.key ? $0.place < $1.place : $0.key < $1.key }
            return try JSON(elements: sorted.map(\.element))
        },
        FlowFunction("reverse", [.list], .array, "reverse(list): in reverse order", makesMuch: true) {
            values in
            try JSON(elements: list(values[0]).reversed())
        },
        FlowFunction(
            "unique", [.list, .maybe(.text)], .array,
            "unique(list, member): the first of equal elements",
            makesMuch: true
        ) { values in
            var known: Set<SortKey> = []
            return try JSON(
                elements: list(values[0]).filter {
                    known.insert(SortKey(try member(of: $0, values))).inserted
                })
        },
        FlowFunction(
            "group", [.list, .text], .object,
            "group(list, member): an object with a list for each value of the member",
            makesMuch: true
        ) { values in
            var order: [ExactText] = []
            var groups: [ExactText: [JSON]] = [:]
            for element in try list(values[0]) {
                let found = try member(of: element, values)
                guard let key = (found.asText ?? (found.isNull ? "" : nil)).map({ ExactText($0) }) else {
                    throw Misuse(message: "\(found.article) can't name a group")
                }
                if groups[key] == nil { order.append(key) }
                groups[key, default: []].append(element)
            }
            return try JSON(
                members: order.map { (key: $0.text, value: try JSON(elements: groups[$0] ?? [])) })
        },
        FlowFunction(
            "joinBy", [.list, .list, .text, .maybe(.text)], .array,
            "joinBy(list, list, member, other): each of the first, with the members of the one of the second whose "
                + "member (or other) is the same",
            makesMuch: true
        ) { values in
            let (left, right) = ([values[0], values[2]], [values[1], values.last ?? .null])
            var partners: [SortKey: JSON] = [:]
            for element in try list(values[1]) {
                let key = try member(of: element, right)
                if !key.isNull, partners[SortKey(key)] == nil { partners[SortKey(key)] = element }
            }
            return try JSON(
                elements: list(values[0]).map { element in
                    let key = try member(of: element, left)
                    guard !key.isNull, let partner = partners[SortKey(key)] else { return element }
                    return try merged(element, partner)
                })
        },
        FlowFunction(
            "entries", [.object], .array, "entries(object): a list of its members, as { key, value }",
            makesMuch: true
        ) { values in
            try JSON(
                elements: values[0].members.map {
                    try JSON(members: [(key: "key", value: JSON($0.key)), (key: "value", value: $0.value)])
                })
        },
        FlowFunction(
            "flatten", [.list], .array, "flatten(list): the elements of its lists in one", makesMuch: true
        ) {
            values in
            try JSON(elements: list(values[0]).flatMap { $0.array ?? [$0] })
        },
        FlowFunction("values", [.object], .array, "values(object): its members' values", makesMuch: true) {
            values in
            try JSON(elements: values[0].members.map(\.value))
        },
        FlowFunction(
            "merge", [.object, .object], .object,
            "merge(object, object): the members of both; the second overrides",
            makesMuch: true
        ) { values in
            try merged(values[0], values[1])
        },
    ]

    /// Returns the members of both objects; the second takes precedence.
    private static func merged(_ first: JSON, _ second: JSON) throws -> JSON {
        var order: [ExactText] = []
        var members: [ExactText: JSON] = [:]
        for object in [first, second] {
            for (key, value) in object.members {
                let key = ExactText(key)
                if members.updateValue(value, forKey: key) == nil { order.append(key) }
            }
        }
        return try JSON(members: order.map { (key: $0.text, value: members[$0] ?? .null) })
    }

    /// Returns the member named by the second argument; without one, the element itself.
    private static func member(of element: JSON, _ values: [JSON]) throws -> JSON {
        guard values.count > 1 else { return element }
        let name = try text(values[1])
        switch element.kind {
        case .object: return element[name] ?? .null
        case .null: return .null
        default: throw Misuse(message: "\(element.article) has no member \"\(name)\"")
        }
    }
}

/// The order and identity of values: numbers by value, texts by Unicode scalars.
struct SortKey: Hashable, Comparable {
    private let rank: Int
    private let number: Double
    private let text: ExactText

    init(_ value: JSON) {
        number = value.double ?? 0
        rank = value.double != nil ? 0 : value.kind == .string ? 1 : value.isNull ? 3 : 2
        // Doubles can't distinguish large integers from their neighbours: compare their digits too.
        text = ExactText(
            rank == 0
                ? value.int.map { $0.magnitude > 1 << 53 ? "\($0)" : "" } ?? ""
                : value.string ?? value.description)
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        guard left.rank == right.rank else { return left.rank < right.rank }
        if left.number != right.number { return left.number < right.number }
        return left.text < right.text
    }
}
