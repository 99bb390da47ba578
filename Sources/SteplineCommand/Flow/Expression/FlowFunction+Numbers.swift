import Foundation
import SteplineJSON

extension FlowFunction {
    static let numbers: [FlowFunction] = [
        FlowFunction(
            "round", [.number, .maybe(.number)], .number,
            "round(number, digits): rounded, half away from zero"
        ) {
            values in
            let digits = values.count > 1 ? try whole(values[1], in: 0...15) : 0
            let scale = pow(10, Double(digits))
            let scaled = try number(values[0]) * scale
            // Larger doubles have no fraction to round.
            return abs(scaled) < 0x1p52 ? JSON(computed: scaled.rounded() / scale) : values[0]
        },
        FlowFunction("floor", [.number], .number, "floor(number): the next whole number below") { values in
            JSON(computed: try number(values[0]).rounded(.down))
        },
        FlowFunction("ceil", [.number], .number, "ceil(number): the next whole number above") { values in
            JSON(computed: try number(values[0]).rounded(.up))
        },
        FlowFunction("abs", [.number], .number, "abs(number): without its sign") { values in
            try number(values[0]) < 0 ? JSON(computed: -number(values[0])) : values[0]
        },
        FlowFunction("min", [.numbers], orMany: .number, nil, "min(list) or min(a, b, …): the least number") {
            values in
            try extreme(values) { $0 < $1 }
        },
        FlowFunction(
            "max", [.numbers], orMany: .number, nil, "max(list) or max(a, b, …): the greatest number"
        ) { values in
            try extreme(values) { $0 > $1 }
        },
        FlowFunction("sum", [.numbers], .number, "sum(list): the sum of numbers") { values in
            let numbers = try list(values[0]).map { try number($0) }
            return JSON(computed: numbers.reduce(0, +))
        },
        FlowFunction("number", [.textOrNumber], .number, "number(text): the text as a number") {
            values in
            if values[0].kind == .number { return values[0] }
            let spelled = try text(values[0]).trimmingCharacters(in: .whitespacesAndNewlines)
            if let json = try? JSON(parsing: spelled), json.kind == .number { return json }
            throw Misuse(message: "\(values[0]) spells no number")
        },
        FlowFunction(
            "format", [.number, .number], .string,
            "format(number, digits): with this many digits after the point"
        ) {
            values in
            let digits = try whole(values[1], in: 0...15)
            return JSON(String(format: "%.\(digits)f", try number(values[0])))
        },
    ]

    private static func extreme(_ values: [JSON], _ isBetter: (Double, Double) -> Bool) throws -> JSON {
        let candidates = values.count == 1 ? try list(values[0]) : values
        var best: (value: JSON, number: Double)?
        for candidate in candidates {
            let number = try number(candidate)
            if best.map({ isBetter(number, $0.number) }) ?? true { best = (candidate, number) }
        }
        return best?.value ?? .null
    }
}
