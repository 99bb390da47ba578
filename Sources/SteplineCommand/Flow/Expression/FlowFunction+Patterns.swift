import SteplineJSON

extension FlowFunction {
    /// Regular expressions, in the second argument.
    static let patterns: [FlowFunction] = withPatterns.map { function in
        var function = function
        function.takesPattern = true
        return function
    }

    private static let withPatterns: [FlowFunction] = [
        FlowFunction(
            "matches", [.text, .text], .bool, "matches(text, pattern): whether it is found in the text"
        ) {
            values in
            JSON(try FlowPattern(values[1]).first(in: text(values[0])) != nil)
        },
        FlowFunction(
            "match", [.text, .text], nil,
            "match(text, pattern): the first that is found, a list of the whole and its groups, or null",
            makesMuch: true
        ) { values in
            try FlowPattern(values[1]).first(in: text(values[0]))?.value() ?? .null
        },
        FlowFunction(
            "matchAll", [.text, .text], .array,
            "matchAll(text, pattern): a list of all that is found, each as by match",
            makesMuch: true
        ) { values in
            try JSON(elements: FlowPattern(values[1]).all(in: text(values[0])))
        },
        FlowFunction(
            "replaceAll", [.text, .text, .text], .string,
            "replaceAll(text, pattern, new): all that is found replaced; $1 or $name stands for a group",
            makesMuch: true
        ) { values in
            JSON(try FlowPattern(values[1]).replace(in: text(values[0]), by: text(values[2])))
        },
    ]
}
