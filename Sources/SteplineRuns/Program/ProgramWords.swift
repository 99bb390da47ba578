import Foundation
import SteplineSupport

/// The words behind a program's name: its verb, and what is given for it.
struct ProgramWords {
    /// What takes a value.
    private static let valued: Set<String> = [
        "store", "key", "input", "older-than", "state", "reason", "from", "to", "on", "workers", "slots",
        "idle",
        "grace",
    ]
    private static let flags: Set<String> = ["json", "retrying-failures", "follow", "withdraw", "help"]

    /// What is no option, in order.
    private(set) var operands: [String] = []
    /// Those of them that stand behind `--`, whatever they look like.
    private(set) var behindDashes: [String] = []
    private var values: [String: String] = [:]

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                behindDashes = Array(rest)
                operands += rest
                return
            }
            guard word.hasPrefix("--") else {
                if word == "-h" { values["help"] = "" } else { operands.append(word) }
                continue
            }
            let option = word.dropFirst(2)
            let halves = option.halves(at: "=")
            let name = halves?.before ?? String(option)
            if Self.flags.contains(name), halves == nil {
                values[name] = ""
            } else if Self.valued.contains(name) {
                guard let value = halves?.behind ?? rest.popFirst() else {
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

    /// The operand at that place; throws that it is missing.
    func operand(_ place: Int, _ what: String) throws -> String {
        guard place < operands.count else { throw RunsError("\(what) is missing", isUsage: true) }
        return operands[place]
    }

    /// Throws if there are more operands; those behind `--` are no others' if they are handed on.
    func expect(_ count: Int, handingOn: Bool = false) throws {
        if operands.count - (handingOn ? behindDashes.count : 0) > count {
            throw RunsError("'\(operands[count])' is too much", isUsage: true)
        }
    }
}
