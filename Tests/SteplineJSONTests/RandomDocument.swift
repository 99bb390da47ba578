import SteplineSupport

/// Makes JSON texts of any shape, spaces and escapes included.
struct RandomDocument {
    var random: StableRandom

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func space() -> String { ["", "", "", " ", "\n\t", "\r\n    "][below(6)] }

    mutating func value(depth: Int = 0) -> String {
        switch below(depth > 5 ? 6 : 9) {
        case 0: "null"
        case 1: ["true", "false"][below(2)]
        case 2, 3: number()
        case 4, 5: string()
        case 6: list(depth)
        default: object(depth)
        }
    }

    private mutating func list(_ depth: Int) -> String {
        let values = (0..<below(6)).map { _ in space() + value(depth: depth + 1) + space() }
        return "[" + (values.isEmpty ? space() : values.joined(separator: ",")) + "]"
    }

    private mutating func object(_ depth: Int) -> String {
        let members = (0..<below(6)).map { number in
            let key = string().dropLast() + "\(number)\""  // no key twice
            return space() + key + space() + ":" + space() + value(depth: depth + 1) + space()
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    mutating func number() -> String {
        switch below(6) {
        case 0: "\(below(1000))"
        case 1: "\(Int64.random(in: .min ... .max, using: &random))"
        case 2: "\(UInt64.random(in: 0...UInt64.max, using: &random))"
        case 3: "-\(below(100)).\(below(100_000))"
        case 4: "\(below(100))e\(below(40) - 20)"
        default: "\(Double.random(in: -1e6...1e6, using: &random))"
        }
    }

    mutating func string() -> String {
        let pieces = [
            "a", "key", "é", "東京", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", " ",
            "long enough a text",
            "\\t", "\u{7F}", "\\u0001",
        ]
        return "\"" + (0..<below(5)).map { _ in pieces[below(pieces.count)] }.joined() + "\""
    }
}
