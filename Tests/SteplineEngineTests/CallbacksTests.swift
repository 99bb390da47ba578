import Dispatch
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineEngine

@Suite(.timeLimit(.minutes(5)))
struct CallbacksTests {
    private typealias Line = Callbacks<Int>
    private typealias News = Turn<Int, Int>

    /// The registrations in order, as a list that is searched.
    private struct SlowCallbacks {
        struct Entry {
            let number: UInt64
            let kind: Line.Kind
            let place: Int
            let isEarly: Bool
        }

        /// The state of a delivery.
        struct Delivery {
            let place: Int
            var entries: [Entry]
        }

        var waiting: [Entry] = []
        /// The deliveries, by the number of the first callback in each.
        var due: [UInt64: Delivery] = [:]

        mutating func end(_ kind: Line.Kind) -> (deliveries: [UInt64], unwanted: Int) {
            let missing = waiting.filter { $0.kind == kind || $0.kind == .end }
            let ordered =
                missing.filter(\.isEarly) + missing.filter { !$0.isEarly && $0.kind == .end }
                + missing.filter { !$0.isEarly && $0.kind != .end }
            defer { waiting = [] }
            var deliveries: [UInt64] = []
            for place in 0..<3 {
                let here = ordered.filter { $0.place == place }
                guard let first = here.first else { continue }
                // Anywhere none waits for another.
                if place != 0, let other = due.first(where: { $0.value.place == place })?.key {
                    due[other]?.entries += here
                } else {
                    due[first.number] = Delivery(place: place, entries: here)
                    deliveries.append(first.number)
                }
            }
            return (deliveries.sorted(), waiting.count - missing.count)
        }

        mutating func remove(_ number: UInt64) -> Bool {
            let count = self.count
            waiting.removeAll { $0.number == number }
            for delivery in due.keys { due[delivery]?.entries.removeAll { $0.number == number } }
            return self.count < count
        }

        private var count: Int { waiting.count + due.values.reduce(0) { $0 + $1.entries.count } }
    }

    private let places: [CallbackPlace] = [
        .anywhere, .queue(DispatchQueue(label: "one")), .queue(DispatchQueue(label: "two")),
    ]

    @Test func `each callback is called once, in order at its place, unless it is removed before it begins`()
    {
        let first = Chance.seed
        for round in 0..<Chance.rounds(200) {
            let seed = first &+ UInt64(round)
            var random = StableRandom(seed: seed)
            let observer = OneShot<Void>()
            var line = Line(), turn = News(), slow = SlowCallbacks(), last: UInt64 = 0
            for _ in 0..<60 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0...4:
                    let kind = [.success, .failure, .end].randomElement(using: &random) ?? Line.Kind.end
                    let place = Int.random(in: 0..<3, using: &random)
                    let isEarly = kind == .end && random.chance(1, in: 4)
                    last = line.add(
                        .init(kind, place: places[place], observer: isEarly ? observer : nil) { _ in })
                    slow.waiting.append(.init(number: last, kind: kind, place: place, isEarly: isEarly))
                case 5:
                    let kind = [.success, .failure, .end].randomElement(using: &random) ?? Line.Kind.end
                    let deliveries = line.end(kind, &turn).map(\.number).sorted(), missing = slow.end(kind)
                    #expect(deliveries == missing.deliveries, "seed \(seed)")
                    #expect(turn.takeWork().garbage.count == missing.unwanted, "seed \(seed)")
                case 6:
                    let number = UInt64.random(in: 0...last, using: &random)
                    let isThere = line.remove(number, &turn)
                    #expect(isThere == slow.remove(number), "seed \(seed)")
                    #expect(turn.takeWork().garbage.count == (isThere ? 1 : 0), "seed \(seed)")
                default:
                    guard let delivery = slow.due.keys.sorted().randomElement(using: &random) else { break }
                    let isEmpty = slow.due[delivery]?.entries.isEmpty != false
                    let next = isEmpty ? nil : slow.due[delivery]?.entries.removeFirst()
                    #expect(line.claim(delivery)?.number == next?.number, "seed \(seed)")
                    if next == nil { slow.due[delivery] = nil }
                }
                #expect(line.registrations.map(\.number) == slow.waiting.map(\.number), "seed \(seed)")
                #expect(line.isEmpty == (slow.waiting.isEmpty && slow.due.isEmpty), "seed \(seed)")
            }
        }
    }

    /// Tells when it is freed.
    private final class Load: Sendable {
        let freed: Locked<Int>
        init(_ freed: Locked<Int>) { self.freed = freed }
        deinit { freed.withLock { $0 += 1 } }
    }

    @Test func `an unused callback is released by the transaction's effects, and not before`() {
        let freed = Locked(0)
        var line = Line(), turn = News()
        func add(_ kind: Line.Kind) -> UInt64 {
            let load = Load(freed)
            return line.add(.init(kind) { _ in withExtendedLifetime(load) {} })
        }
        let removed = add(.end)
        _ = add(.failure)
        line.remove(removed, &turn)
        #expect(line.end(.success, &turn).isEmpty)
        #expect(freed.withLock { $0 } == 0)
        _ = turn.takeWork()
        #expect(freed.withLock { $0 } == 2)
    }
}
