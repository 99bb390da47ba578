import TestSupport
import Testing

@testable import SteplineCommand

/// A character that is left out is reported.
@Suite("Workflow files: one slip, one mistake", .timeLimit(.minutes(5)))
struct OneSlipTests {
    /// The findings when one character of that kind is left out, for each place in a file; comments are left
    /// alone, and so are brackets in strings.
    private func slips(_ name: String, _ characters: String) throws -> [(place: String, findings: [String])] {
        let bytes = try FlowFixtures.source(name).bytes
        var quote: UInt8?
        var isComment = false
        var isEscaped = false
        var places: [Int] = []
        for (place, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") { isComment = false }
            if quote == nil, byte == UInt8(ascii: "/"), "/*".utf8.contains(bytes[place + 1]) {
                isComment = true
            }
            guard !isComment, !isEscaped else {
                isEscaped = false
                continue
            }
            let wasInside = quote != nil
            isEscaped = wasInside && byte == UInt8(ascii: "\\")
            if byte == quote {
                quote = nil
            } else if quote == nil, "\"'".utf8.contains(byte) {
                quote = byte
            }
            if characters.utf8.contains(byte), !wasInside || quote == nil { places.append(place) }
        }
        // Every tenth place, the first by the seed; all in soak.
        let step = Chance.isSoak ? 1 : 10
        let chosen = places.enumerated().filter { $0.offset % step == Int(Chance.seed % UInt64(step)) }
        return chosen.map { _, place in
            var other = bytes
            other.remove(at: place)
            let findings = FlowSource(name: name, bytes: other).findings().filter { $0.contains(": error: ") }
            let line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
            return ("\(name):\(line) without \(Character(Unicode.Scalar(bytes[place])))", findings)
        }
    }

    @Test("a mistake in an included file is reported in that file only")
    func inner() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { a: { flow: 'inner.json5', with: { city: 'Oslo' } } } }")
        try flow.write(
            "{ parameters: { city: \"Rome },\n tasks: { x: { steps: [ { value: 1 } ] } } }", to: "inner.json5"
        )
        let result = try await flow("check", "flow.json5")
        #expect(result.status == 3)
        #expect(result.output == "inner.json5:1:23: error: the string is never closed\n")
    }

    @Test(
        "a missing bracket or quote is reported, a missing colon once, a missing comma at most once",
        arguments: FlowFixtures.accepted)
    func signs(name: String) throws {
        for slip in try slips(name, "{}[]\"'") {
            #expect(!slip.findings.isEmpty, "\(slip.place)")
        }
        for slip in try slips(name, ":") {
            #expect(slip.findings.count == 1, "\(slip.place): \(slip.findings)")
        }
        // The last of a list isn't needed.
        for slip in try slips(name, ",") {
            #expect(slip.findings.count <= 1, "\(slip.place): \(slip.findings)")
        }
    }
}
