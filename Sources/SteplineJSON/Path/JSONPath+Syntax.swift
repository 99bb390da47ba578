extension JSONPath {
    struct Segment: Sendable {
        let isDescendant: Bool
        let selectors: [Selector]

        /// Whether the segment matches at most one node.
        var isSingular: Bool {
            guard !isDescendant, selectors.count == 1 else { return false }
            switch selectors[0] {
            case .name, .index: return true
            default: return false
            }
        }
    }

    enum Selector: Sendable {
        case name(String)
        case wildcard
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(Condition)
    }

    /// A query inside a filter.
    struct Query: Sendable {
        /// Whether the query starts at the tested node (`@`), instead of the root (`$`).
        let isRelative: Bool
        let segments: [Segment]

        var isSingular: Bool { segments.allSatisfy(\.isSingular) }
    }

    indirect enum Condition: Sendable {
        case any([Condition])
        case all([Condition])
        case not(Condition)
        case exists(Query)
        case compare(Operand, Comparison, Operand)
        case matches(Operand, pattern: Pattern, isWhole: Bool)
    }

    enum Comparison: Sendable {
        case equal, unequal, less, lessOrEqual, greater, greaterOrEqual
    }

    /// The pattern of a match: a literal is compiled with the query, an operand is evaluated for each node.
    indirect enum Pattern: Sendable {
        case fixed(IRegexp?)
        case computed(Operand)
    }

    indirect enum Operand: Sendable {
        case literal(JSON)
        case query(Query)
        case length(Operand)
        case count(Query)
        case value(Query)
    }
}
