import Foundation
import Stepline

/// The problem of all chain benchmarks: a number that each step adds one to.
final class AddOne: BasicStep<Int, Int>, @unchecked Sendable {
    override func process(_ number: Int) -> Int { number &+ 1 }
}

/// A benchmark whose problem can't even be set up has nothing to tell.
func orFail<Value>(_ work: () throws -> Value) -> Value {
    do { return try work() } catch { fatalError("\(error)") }
}

/// Waits for many things to end.
final class Latch: Sendable {
    private let group = DispatchGroup()

    func enter() { group.enter() }
    func leave() { group.leave() }
    func wait() { group.wait() }
}
