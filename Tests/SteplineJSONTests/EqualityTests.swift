import SteplineJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct EqualityTests {
    @Test(arguments: [
        ("1", "1.0"), ("1", "10e-1"), ("0", "-0.0"), ("100", "1e2"), (#""a""#, #""\u0061""#),
        ("[1,[2]]", "[1.0,[2e0]]"),
        (#"{"a":1,"b":{"c":2,"d":[]}}"#, #"{"b":{"d":[],"c":2},"a":1}"#), (#""\n""#, #""\u000a""#),
        ("123456789012345678901234567890", "123456789012345678901234567890.0"),
        ("1e999999999999999999999", "1e999999999999999999999"),
        (
            #"{"a":[1.50,{"x":"\u00e9","y":[]}],"b":{"c":1e3,"d":null}}"#,
            #"{"b":{"d":null,"c":1000},"a":[15e-1,{"y":[],"x":"é"}]}"#
        ),
    ])
    func `values are equal and hash alike however they are written`(_ left: String, _ right: String) throws {
        let (a, b) = (try JSON(parsing: left), try JSON(parsing: right))
        #expect(a == b)
        #expect(a.hashValue == b.hashValue)
    }

    @Test(arguments: [
        ("1", "2"), ("1", "\"1\""), ("9007199254740993", "9007199254740992"),
        ("0.1", "0.10000000000000000001"), ("null", "false"),
        ("[1,2]", "[2,1]"), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#), ("[]", "{}"),
        ("true", "false"),
        (#""é""#, "\"e\u{301}\""), ("1e400", "1e401"), ("-1", "1"), ("[[1]]", "[[2]]"),
    ])
    func `other values differ`(_ left: String, _ right: String) throws {
        #expect(try JSON(parsing: left) != JSON(parsing: right))
    }
}
