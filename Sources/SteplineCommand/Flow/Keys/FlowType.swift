import SteplineJSON

/// The type of a value in a workflow file.
indirect enum FlowType: Sendable {
    case any
    case string
    /// A string that isn't empty.
    case text
    /// A string in which a regular expression finds a match.
    case matching(String)
    case choice([String])
    case boolean
    /// The literal `true` alone.
    case yes
    case integer(ClosedRange<Int>)
    /// Nil for any number.
    case number(ClosedRange<Double>?)
    case list(of: FlowType, atLeast: Int = 0, isUnique: Bool = false)
    case object(FlowKeys)
    /// An object whose keys are names of the file's own choice.
    case members(of: FlowType, atLeast: Int = 0, matching: String? = nil, except: [String] = [])
    case either([FlowType])
    /// A type that has a definition of its own in the schema.
    case shared(FlowDefinition)

    static func choice<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> FlowType {
        .choice(Word.allCases.map(\.rawValue))
    }

    /// A JSONPath.
    static let path = matching(#"^\$"#)
    /// A token of HTTP: a method, or the name of a header.
    static let token = matching(tokenPattern)
    static let tokenPattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
    static let scalar = either([.string, .number(nil), .boolean])
    static let scalarOrList = either([.string, .number(nil), .boolean, .list(of: .any)])

    /// The range of a number of retries.
    static let retries = 0...1000
    /// The range of a capacity, or of a number of concurrent tasks.
    static let capacity = 1...100_000

    static let duration = shared(.duration)
    static let size = shared(.size)
    static let retry = shared(.retry)
    static let names = shared(.names)
    static let paths = shared(.paths)
    static let query = shared(.query)
    static let expression = shared(.expression)

    /// The type, without the indirection through a definition.
    var resolved: FlowType {
        if case .shared(let definition) = self { definition.type } else { self }
    }

    /// The keys of the object that a value is, or can be.
    var keys: FlowKeys? {
        switch resolved {
        case .object(let keys): keys
        case .either(let types): types.lazy.compactMap(\.keys).first
        default: nil
        }
    }
}

/// A type that several keys share.
enum FlowDefinition: String, CaseIterable {
    case duration, size, retry, names, paths, query, expression, parameter, secret, task, step

    var help: String? {
        switch self {
        case .duration: #"A length of time: "30s", "500ms", "10m", "2h", or a number of seconds."#
        case .size: #"A number of bytes: "10MB" (10,000,000), "64KiB" (65,536), or a number."#
        case .retry: "The retry policy: the maximum number of retries, or an object."
        case .names: "A task's name, or a list of names."
        case .paths: "A path in the workflow's folder, or a list. ${…} inserts parameters."
        case .query: "A JSONPath, beginning with $, or an XPath."
        case .expression:
            """
            An expression: names, members, arithmetic, comparisons, && || ! ?? and ? :, functions like round(), \
            upper(), join().
            """
        case .parameter, .secret, .task, .step: nil
        }
    }

    var type: FlowType {
        switch self {
        case .duration:
            .either([.number(0...1_000_000_000), .matching(#"^[0-9]*\.?[0-9]+\.?(ms|s|min|m|h|d)?$"#)])
        case .size:
            .either([.number(0...0x1p63), .matching(#"^[0-9]*\.?[0-9]+\.?([kKmMgGtT]?([iI]?[bB])?)$"#)])
        case .retry: .either([.integer(FlowType.retries), .object(.retry)])
        case .names: .either([.string, .list(of: .string, isUnique: true)])
        case .paths: .either([.text, .list(of: .text)])
        case .query, .expression: .text
        case .parameter: .either([.scalarOrList, .object(.parameter)])
        case .secret: .object(.secret)
        case .task: .object(.task)
        case .step: .either(FlowKeys.verbs.map { .object($0) })
        }
    }
}
