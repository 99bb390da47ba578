import SteplineJSON

extension FlowFunction {
    /// The functions whose second argument is a regular expression.
    static let patterns: [FlowFunction] = [
        FlowFunction(
            pattern: "matches", [.text, .text], .bool,
            "matches(text, pattern): whether the text has a match"
        ) {
            values, steps in
            JSON(try FlowPattern(values[1]).first(in: text(values[0]), steps) != nil)
        },
        FlowFunction(
            pattern: "match", [.text, .text], nil,
            "match(text, pattern): the first match, a list of the whole and its groups, or null",
            makesMuch: true
        ) { values, steps in
            try FlowPattern(values[1]).first(in: text(values[0]), steps)?.value() ?? .null
        },
        FlowFunction(
            pattern: "matchAll", [.text, .text], .array,
            "matchAll(text, pattern): a list of all matches, each as by match",
            makesMuch: true
        ) { values, steps in
            try JSON(elements: FlowPattern(values[1]).all(in: text(values[0]), steps))
        },
        FlowFunction(
            pattern: "replaceAll", [.text, .text, .text], .string,
            "replaceAll(text, pattern, new): replaces all matches; $1 or $name inserts a group",
            makesMuch: true
        ) { values, steps in
            JSON(try FlowPattern(values[1]).replace(in: text(values[0]), by: text(values[2]), steps))
        },
    ]
}
