import Foundation
import SteplineJSON
import SteplineSupport
import Testing

/// Recursion on the depth of the input ends in an error before the stack overflows.
@Suite(.timeLimit(.minutes(5))) struct StackTests {
    private struct Tree: Decodable {
        let children: [Tree]
        let label: String?
    }

    private final class Chain: Decodable {
        let next: Chain?
        deinit {}
    }

    private struct Nested: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            if !list.isAtEnd { _ = try list.decode(Nested.self) }
        }
    }

    /// Runs on a thread with a small stack, as those of queues and of Swift's executors are.
    private static func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let thread = Thread { done.resume(with: Result { try body() }) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    private static func nested(_ depth: Int, _ open: String, _ close: String) -> Data {
        Data((String(repeating: open, count: depth) + String(repeating: close, count: depth)).utf8)
    }

    static let depths = [40, 100, 300, 600, 1_000, 1_500, 3_000, 10_000, 100_000]

    @Test(arguments: depths)
    func `decoding at a raised depth limit is an error, never a crash`(_ depth: Int) async throws {
        let decoder = JSON.Decoder(options: .init(maximumDepth: 1_000_000))
        let tree = Self.nested(depth, #"{"children":["#, "]}")
        let chain = Data(
            (String(repeating: #"{"next":"#, count: depth) + "{}" + String(repeating: "}", count: depth)).utf8
        )
        let list = Self.nested(depth, "[", "]")
        try await Self.onSmallStack {
            Self.check(depth) { _ = try decoder.decode(Tree.self, from: tree) }
            Self.check(depth) { _ = try decoder.decode(Chain.self, from: chain) }
            Self.check(depth) { _ = try decoder.decode(Nested.self, from: list) }
            Self.check(depth) { _ = try decoder.decode([[[[[[Nested]]]]]].self, from: list) }
        }
    }

    @Test(arguments: depths) func `encoding a deep value ends in an error`(_ depth: Int) async throws {
        let json = try JSON(
            parsing: Self.nested(depth, #"[{"a":"#, "}]").filterEmptyValue,
            options: .init(maximumDepth: 1_000_000))
        try await Self.onSmallStack {
            Self.check(depth) { _ = try JSON(encoding: json) }
            Self.check(depth) { _ = try JSONEncoder().encode(["x": [json]]) }
        }
    }

    /// Forty levels go anywhere, also without optimization.
    private static func check(_ depth: Int, _ body: () throws -> Void) {
        do {
            try body()
        } catch is DecodingError where depth > 40 {
        } catch is EncodingError where depth > 40 {
        } catch let error as JSONError where error.code == .tooDeep {
        } catch {
            Issue.record(error)
        }
    }
}

extension Data {
    /// The innermost member's value is null.
    fileprivate var filterEmptyValue: Data {
        Data(String(decoding: self, as: UTF8.self).replacing(#":}"#, with: ":null}").utf8)
    }
}
