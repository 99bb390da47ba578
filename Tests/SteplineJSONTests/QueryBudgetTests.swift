import Foundation
import SteplineJSON
import Testing

/// The budget bounds each part of a query's work.
@Suite(.timeLimit(.minutes(5))) struct QueryBudgetTests {
    static let long = String(repeating: "a", count: 80_000)

    static let costly: [(document: JSON, path: String)] = [
        // A pattern with thousands of places, over a long text.
        (["v": [JSON(long)]], "$.v[?match(@, '(a{0,90}){0,90}b')]"),
        (["v": [JSON(long)], "p": "((a?){50}){50}b"], "$.v[?search(@, $.p)]"),
        // Characters that are no ASCII have no table.
        (["v": [JSON(String(repeating: "é", count: 50_000))]], "$.v[?match(@, '(é?){2000}x')]"),
        // Many texts, each under another pattern.
        (
            JSON.list((0..<300).map { ["p": JSON("a{\($0),20000}x"), "t": "a"] }),
            "$[?match(@.t, @.p)]"
        ),
        // Large values and texts, compared again and again.
        (
            [
                "big": JSON.list((0..<2000).map { JSON($0) }), "same": JSON.list((0..<2000).map { JSON($0) }),
                "v": JSON.list((0..<2000).map { JSON($0) }),
            ], "$.v[?$.big == $.same]"
        ),
        (
            [
                "a": JSON(long + long), "b": JSON(long + long + "b"),
                "v": JSON.list((0..<2000).map { JSON($0) }),
            ],
            "$.v[?$.a < $.b]"
        ),
        (["a": JSON(long + long), "v": JSON.list((0..<2000).map { JSON($0) })], "$.v[?length($.a) == 1]"),
        (["a": JSON(long + "\n"), "v": JSON.list((0..<2000).map { JSON($0) })], "$.v[?match($.a, 'b')]"),
    ]

    @Test(arguments: costly.indices) func `an expensive query ends in an error`(_ number: Int) throws {
        let (document, text) = Self.costly[number]
        let path = try JSONPath(text)
        let error = #expect(throws: JSONError.self) { try document.query(path, budget: 200_000) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a cheap query fits a small budget`() throws {
        let document: JSON = ["v": [JSON(Self.long + "b"), JSON(Self.long)]]
        #expect(try document.query(JSONPath("$.v[?match(@, 'a*b')]"), budget: 300_000).count == 1)
        #expect(try document.query(JSONPath("$.v[?search(@, 'ab$')]"), budget: 300_000).count == 1)
        let patterns = JSON.list(
            (0..<2000).map { _ in ["p": "x{500}y?", "t": JSON(String(repeating: "x", count: 500))] })
        #expect(try patterns.query(JSONPath("$[?match(@.t, @.p)]"), budget: 2_500_000).count == 2000)
    }

    @Test(arguments: [Int.min, -1, 0]) func `no budget is an error, not a trap`(_ budget: Int) throws {
        let path = try JSONPath("$[*]")
        let error = #expect(throws: JSONError.self) { try ([1, 2] as JSON).query(path, budget: budget) }
        #expect(error?.code == .tooLarge)
    }
}

extension JSON {
    fileprivate static func list(_ values: [JSON]) -> JSON { (try? JSON(elements: values)) ?? .null }
}
