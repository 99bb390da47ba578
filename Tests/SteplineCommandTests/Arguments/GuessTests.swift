import Testing

@testable import SteplineCommand

@Suite("Guesses", .timeLimit(.minutes(5)))
struct GuessTests {
    @Test(
        "the nearest name is found, and none where nothing is near",
        arguments: [
            ("fecth", "fetch"), ("cehck", "check"), ("expl", "explain"), ("FETCH", "fetch"), ("xyzzy", nil),
            ("", nil),
        ])
    func nearest(text: String, expected: String?) {
        #expect(Guess.nearest(to: text, among: ["fetch", "run", "check", "graph", "explain"]) == expected)
    }
}
