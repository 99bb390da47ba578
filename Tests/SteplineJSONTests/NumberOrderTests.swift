import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct NumberOrderTests {
    /// In order, none equal to the next.
    static let numbers = [
        "-1e99999999999999999999", "-1e401", "-1e400", "-18446744073709551617", "-18446744073709551616",
        "-9223372036854775808.5", "-9223372036854775808", "-0.30000000000000000001", "-0.3", "-1e-400",
        "-1e-401",
        "0", "1e-99999999999999999999", "1e-401", "1e-400", "0.1", "0.10000000000000000001",
        "9007199254740992.5",
        "9007199254740993", "18446744073709551615", "18446744073709551616", "18446744073709551617",
        "340282366920938463463374607431768211456", "340282366920938463463374607431768211457", "1e400",
        "1.01e400",
        "1e401", "1e99999999999999999999",
    ]

    @Test func `issue 16: numbers of any size are compared by all their digits`() throws {
        for (place, number) in Self.numbers.enumerated() {
            for (other, text) in Self.numbers.enumerated() {
                let json = try JSON(parsing: "[[\(number),\(text)]]")
                let isLess = try !json.query("$[?@[0] < @[1]]").isEmpty
                let isGreater = try !json.query("$[?@[0] > @[1]]").isEmpty
                #expect(isLess == (place < other) && isGreater == (place > other), "\(number) and \(text)")
            }
        }
    }

    @Test(arguments: [
        ("1e400", "10e399"), ("18446744073709551617.0", "18446744073709551617"), ("-0", "0e99"),
    ])
    func `issue 16: what is equal is neither less nor greater`(_ one: String, _ other: String) throws {
        let json = try JSON(parsing: "[[\(one),\(other)]]")
        #expect(try json.query("$[?@[0] < @[1]]").isEmpty && json.query("$[?@[0] > @[1]]").isEmpty)
        #expect(try json.query("$[?@[0] <= @[1]]").count == 1 && json.query("$[?@[0] == @[1]]").count == 1)
    }
}
