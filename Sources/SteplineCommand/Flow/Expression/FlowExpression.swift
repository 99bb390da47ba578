import SteplineJSON

/// A parsed formula of a workflow file: `round(it.temperature, 1) + " °C"`.
///
/// Formulas are pure: no loops, no assignments, no side effects. Names refer to parameters, `tasks.NAME`,
/// `secrets.NAME`, `it`, `item`, `index` and `run`.
struct FlowExpression: Sendable {
    /// The meaning of a name.
    enum Name: Hashable, Sendable {
        /// A parameter of the file.
        case parameter(String)
        /// A secret of the file.
        case secret(String)
        /// The result of a prerequisite.
        case task(String)
        /// The output of the previous step.
        case it
        /// The element of a mapped task.
        case item
        /// The index of the element, from 0.
        case index
        /// The outcome of the run, for tasks that run last.
        case run

        static let reserved = ["tasks", "secrets", "it", "item", "index", "run", "true", "false", "null"]
    }

    /// A node of the tree, with its place in the file.
    struct Node: Sendable {
        let kind: Kind
        let offset: Int
        /// The number of levels below, limited so that recursion can't overflow the stack.
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

        /// The precedence; higher binds tighter.
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

    /// A name and its place.
    struct Reference: Sendable {
        let name: Name
        let offset: Int
    }

    /// The source text.
    let text: String
    let root: Node
    /// All names in the formula.
    let references: [Reference]
}

/// An error in a formula, with its offset in the file.
struct ExpressionError: Error, Sendable, CustomStringConvertible {
    let offset: Int
    let message: String
    var hint: String?

    /// The message with its hint.
    var description: String { message + (hint.map { " (\($0))" } ?? "") }
}
