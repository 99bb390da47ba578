/// What was asked for on the command line.
struct Arguments: Sendable {
    /// What is neither an option nor an option's value, in order.
    var operands: [String] = []

    private var values: [String: [any Sendable]] = [:]

    /// The value given last; nil if the option wasn't given.
    subscript<Value>(option: Option<Value>) -> Value? {
        values[option.row.name]?.last as? Value
    }

    /// All values given, in order.
    func all<Value>(_ option: Option<Value>) -> [Value] {
        values[option.row.name]?.compactMap { $0 as? Value } ?? []
    }

    /// Whether a flag is on; off, unless given.
    func isOn(_ flag: Option<Bool>) -> Bool { self[flag] ?? false }

    mutating func add(_ value: any Sendable, for row: OptionRow) {
        values[row.name, default: []].append(value)
    }
}
