import Foundation
import SteplineJSON
import SteplineSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DoubleTests {
    @Test(arguments: [
        "0", "-0", "0.1", "1e22", "1e23", "9007199254740993", "9007199254740992.5", "1.7976931348623157e308",
        "4.9406564584124654e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1e-400",
        "123456789012345678",
        "1.00000000000000011102230246251565404236316680908203125",
        "0.000000000000000000000000000000000000000123",
        "100000000000000016777215", "100000000000000016777216", "8.442911973260991817129021e-309", "1e64",
        "1e-64",
        "179769313486231570814e288", "5e-324", "18446744073709551615", "1844674407370955161.5e1",
        "1e309", "-1e400",
    ])
    func `hard numbers are the nearest doubles, and too large ones nil`(_ text: String) throws {
        let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
        #expect(try JSON(parsing: text).double?.bitPattern == expected?.bitPattern)
    }

    @Test func `random numbers are the nearest doubles`() throws {
        let seed = Chance.seed
        var random = StableRandom(seed: seed)
        var texts: [String] = []
        for _ in 0..<20_000 {
            let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
            if value.isFinite { texts.append("\(value)") }
            let digits = (0..<Int.random(in: 1...25, using: &random)).map { _ in
                "\(Int.random(in: 1...9, using: &random))"
            }
            texts.append(digits.joined() + "e\(Int.random(in: -90...90, using: &random))")
            texts.append(
                "\(Int.random(in: -999...999, using: &random)).\(UInt64.random(in: 0...UInt64.max, using: &random))"
            )
        }
        let json = try JSON(parsing: "[" + texts.joined(separator: ",") + "]")
        for (element, text) in zip(json.elements, texts) {
            let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
            if element.double?.bitPattern != expected?.bitPattern { Issue.record("\(text), seed \(seed)") }
        }
    }
}
