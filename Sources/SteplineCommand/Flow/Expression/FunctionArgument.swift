import SteplineJSON

/// A parameter of a function.
struct FunctionArgument: Sendable {
    /// The accepted kinds; nil for all.
    let kinds: Set<JSON.Kind>?
    /// The accepted kinds of a list's elements; nil for all.
    var elements: Set<JSON.Kind>?
    var isOptional = false

    static let any = FunctionArgument(kinds: nil)
    static let text = FunctionArgument(kinds: [.string])
    static let number = FunctionArgument(kinds: [.number])
    static let textOrNumber = FunctionArgument(kinds: [.string, .number])
    static let object = FunctionArgument(kinds: [.object])
    static let list = FunctionArgument(kinds: [.array])
    static let numbers = FunctionArgument(kinds: [.array], elements: [.number])
    /// A list of values that have a text form.
    static let scalars = FunctionArgument(kinds: [.array], elements: [.string, .number, .bool])
    static let textOrList = FunctionArgument(kinds: [.string, .array])
    static let textListOrObject = FunctionArgument(kinds: [.string, .array, .object])

    static func maybe(_ argument: FunctionArgument) -> FunctionArgument {
        FunctionArgument(kinds: argument.kinds, elements: argument.elements, isOptional: true)
    }
}

extension Set<JSON.Kind> {
    /// The kinds with articles, for messages: `a text or a list`.
    var article: String {
        let order: [JSON.Kind] = [.string, .number, .bool, .array, .object, .null]
        let articles = order.filter(contains).map(\.article)
        let last = articles.count > 1 ? " or \(articles[articles.count - 1])" : ""
        return articles.prefix(Swift.max(1, articles.count - 1)).joined(separator: ", ") + last
    }
}
