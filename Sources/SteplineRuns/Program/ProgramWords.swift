import Foundation
import SteplineSupport

/// The parsed command line of a program: verb, operands and options.
struct ProgramWords {
    /// The options that take a value.
    private static let valued: Set<String> = [
        "store", "key", "input", "older-than", "state", "reason", "from", "to", "on", "workers", "slots",
        "idle",
        "grace",
    ]
    private static let flags: Set<String> = ["json", "retrying-failures", "follow", "withdraw", "help"]

    /// The arguments that aren't options, in order.
    private(set) var operands: [String] = []
    /// The operands after `--`, which may begin with dashes.
    private(set) var afterDashes: [String] = []
    private var values: [String: String] = [:]

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            // Words after `--` are never options.
            if word == "--" {
                afterDashes = Array(rest)
                operands += rest
                return
            }
            guard word.hasPrefix("--") else {
                if word == "-h" { values["help"] = "" } else { operands.append(word) }
                continue
            }
            let option = word.dropFirst(2)
            // Both `--key value` and `--key=value` are accepted.
            let halves = option.halves(at: "=")
            let name = halves?.before ?? String(option)
            // A flag takes no value: `--json=x` is unknown.
            if Self.flags.contains(name), halves == nil {
                values[name] = ""
            } else if Self.valued.contains(name) {
                guard let value = halves?.after ?? rest.popFirst() else {
                    throw RunsError("--\(name) needs a value", isUsage: true)
                }
                values[name] = value
            } else {
                throw RunsError("unknown option \(word)", isUsage: true)
            }
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func isOn(_ flag: String) -> Bool { values[flag] != nil }

    /// Returns the operand at an index; throws an error with `what` as its name if it is missing.
    func operand(_ place: Int, _ what: String) throws -> String {
        guard place < operands.count else { throw RunsError("\(what) is missing", isUsage: true) }
        return operands[place]
    }

    /// Throws an error if there are too many operands; `handingOn` excludes those after `--`.
    func expect(_ count: Int, handingOn: Bool = false) throws {
        if operands.count - (handingOn ? afterDashes.count : 0) > count {
            throw RunsError("unexpected argument '\(operands[count])'", isUsage: true)
        }
    }
}
