/// The parsed command line of a subcommand.
struct Arguments: Sendable {
    /// The words that are neither options nor values of options, in order.
    var operands: [String] = []

    private var values: [String: [any Sendable]] = [:]

    /// Returns the last value of an option; nil if the option wasn't given.
    subscript<Value>(option: Option<Value>) -> Value? {
        values[option.row.name]?.last as? Value
    }

    /// Returns all values of an option, in order.
    func all<Value>(_ option: Option<Value>) -> [Value] {
        values[option.row.name]?.compactMap { $0 as? Value } ?? []
    }

    /// Returns whether a flag is on; false if it wasn't given.
    func isOn(_ flag: Option<Bool>) -> Bool { self[flag] ?? false }

    mutating func add(_ value: any Sendable, for row: OptionRow) {
        values[row.name, default: []].append(value)
    }
}
