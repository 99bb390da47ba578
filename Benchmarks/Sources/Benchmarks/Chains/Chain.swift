import Foundation
import Stepline

/// The problem of all chain benchmarks: a number that each step adds one to.
final class AddOne: BasicStep<Int, Int>, @unchecked Sendable {
    override func process(_ number: Int) -> Int { number &+ 1 }
}

/// Waits for many things to end.
final class Latch: Sendable {
    private let group = DispatchGroup()

    func enter() { group.enter() }
    func leave() { group.leave() }
    func wait() { group.wait() }
}
