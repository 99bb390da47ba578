import SteplineJSON

/// A formula in a workflow file, read once: `round(it.temperature, 1) + " °C"`.
///
/// It can compute and nothing else: no loops, no assignments, no way out. Names stand for parameters, for
/// `tasks.NAME` and `secrets.NAME`, and for `it`, `item`, `index` and `run`.
struct FlowExpression: Sendable {
    /// What a name may stand for.
    enum Name: Hashable, Sendable {
        /// A parameter of the file.
        case parameter(String)
        /// A secret of the file.
        case secret(String)
        /// The result of a prerequisite.
        case task(String)
        /// What the step before has made.
        case it
        /// The element that a mapped task runs for.
        case item
        /// The element's number, from 0.
        case index
        /// How the run has gone, for a task that comes last.
        case run

        static let reserved = ["tasks", "secrets", "it", "item", "index", "run", "true", "false", "null"]
    }

    /// A part of a formula, and where it stands in the file.
    struct Node: Sendable {
        let kind: Kind
        let offset: Int
        /// How many levels are below, so that walking it never overflows the stack.
        let depth: Int
    }

    indirect enum Kind: Sendable {
        case literal(JSON)
        case name(Name)
        case member(Node, String)
        case element(Node, Node)
        case not(Node)
        case negative(Node)
        case binary(Operator, Node, Node)
        case choice(Node, Node, Node)
        case call(FlowFunction, [Node])
        case list([Node])
        case object([(key: String, value: Node)])
    }

    enum Operator: String, Sendable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case remainder = "%"
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case and = "&&"
        case or = "||"
        case otherwise = "??"

        /// How tightly it binds.
        var rank: Int {
            switch self {
            case .otherwise: 1
            case .or: 2
            case .and: 3
            case .equal, .notEqual: 4
            case .less, .lessOrEqual, .greater, .greaterOrEqual: 5
            case .add, .subtract: 6
            case .multiply, .divide, .remainder: 7
            }
        }
    }

    /// A name, and where it stands.
    struct Reference: Sendable {
        let name: Name
        let offset: Int
    }

    /// The formula as it is written.
    let text: String
    let root: Node
    /// Every name in it.
    let references: [Reference]
}

/// What is wrong with a formula, or happened when it was computed; the offset is one of the file.
struct ExpressionError: Error, Sendable, CustomStringConvertible {
    let offset: Int
    let message: String
    var hint: String?

    var description: String { message }

    /// What happened, and what may help.
    var told: String { message + (hint.map { " (\($0))" } ?? "") }
}
