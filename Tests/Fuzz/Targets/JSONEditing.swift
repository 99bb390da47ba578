import Foundation
import SteplineJSON

/// Changes to a document, held against the same changes to plain Swift values: each byte is a choice.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(start, count)
    var json = JSON.null
    var model = Model.null
    var kept: [(JSON, Model)] = []
    for _ in 0..<200 where !choices.isOver {
        let value = value(&choices, kept)
        change(&json, &model, value, &choices, depth: 0)
        if choices.choice(4) == 0 { kept.append((json, model)) }
    }
    kept.append((json, model))
    for (json, model) in kept { check(json, model) }
    return 0
}

private indirect enum Model: Equatable {
    case null, number(Int), text(String)
    case array([Model])
    case object([(key: String, value: Model)])

    static func == (left: Model, right: Model) -> Bool { left.text == right.text }

    /// As JSON, members in order.
    var text: String {
        switch self {
        case .null: "null"
        case .number(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }
}

private func value(_ choices: inout Choices, _ kept: [(JSON, Model)]) -> (JSON, Model)? {
    switch choices.choice(8) {
    case 0: return nil
    case 1: return (.null, .null)
    case 2: return ("é", .text("é"))
    case 3: return ([1, "x"], .array([.number(1), .text("x")]))
    case 4: return (["a": [], "b": nil], .object([("a", .array([])), ("b", .null)]))
    case 5:
        guard let (json, model) = kept.last, model.text.utf8.count < 1000 else { return nil }
        return (json, model)
    default:
        let number = choices.choice(100)
        return (JSON(number), .number(number))
    }
}

private func change(
    _ json: inout JSON, _ model: inout Model, _ value: (JSON, Model)?, _ choices: inout Choices, depth: Int
) {
    let key = ["a", "b", "c", "é", "e\u{301}"][choices.choice(5)]
    let position = choices.choice(5) - 1
    let goesDeeper = depth < 6 && choices.choice(3) == 0
    if case .null = model { model = choices.choice(2) == 0 ? .array([]) : .object([]) }
    switch model {
    case .array(var elements):
        if json.isNull { json = [] }
        let found = position < 0 ? elements.count + position : position
        if goesDeeper, elements.indices.contains(found), var inner = json[position] {
            change(&inner, &elements[found], value, &choices, depth: depth + 1)
            json[position] = inner
        } else if elements.indices.contains(found) {
            json[position] = value?.0
            if let value { elements[found] = value.1 } else { elements.remove(at: found) }
        } else {
            json[position] = value?.0
            if let value, position == elements.count { elements.append(value.1) }
        }
        model = .array(elements)
    case .object(var members):
        if json.isNull { json = [:] }
        let found = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
        if goesDeeper, let found, json[key] != nil {
            change(&json[key]!, &members[found].value, value, &choices, depth: depth + 1)
        } else {
            json[key] = value?.0
            switch (found, value) {
            case (let found?, let value?): members[found].value = value.1
            case (let found?, nil): members.remove(at: found)
            case (nil, let value?): members.append((key, value.1))
            case (nil, nil): break
            }
        }
        model = .object(members)
    default:
        json[key] = value?.0
        json[position] = value?.0
    }
}

private func check(_ json: JSON, _ model: Model) {
    let text = model.text
    guard json.description == text else { fatalError("\(json) instead of \(text)") }
    guard let parsed = try? JSON(parsing: text), parsed == json, parsed.hashValue == json.hashValue,
        json.count == parsed.count, json.keys == parsed.keys
    else { fatalError("parsed, it is another value: \(text)") }
    for (key, value) in json.members where json[key] != value { fatalError("a key leads to another value") }
}
