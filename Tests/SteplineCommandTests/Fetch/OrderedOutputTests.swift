import Foundation
import SteplineSupport
import Testing

@testable import SteplineCommand

@Suite("fetch: bodies in the order of their URLs", .timeLimit(.minutes(5)))
struct OrderedOutputTests {
    @Test("bodies behind a slow one wait in memory up to a bound, then in files, and are written in order")
    func spilled() throws {
        let written = Locked(Data())
        let output = OrderedOutput(mostHeld: 10) { data in written.withLock { $0 += data } }
        let bodies = (0..<20).map { Data(repeating: UInt8($0), count: 4) }
        for number in (1..<20).reversed() { try output.put(bodies[number], at: number) }
        #expect(output.held == 8 && written.withLock { $0.isEmpty })
        try output.put(bodies[0], at: 0)
        #expect(output.held == 0 && written.withLock { $0 } == bodies.reduce(Data(), +))
    }

    @Test("finish writes what waits in files as well, over the gaps")
    func gaps() throws {
        let written = Locked(Data())
        let output = OrderedOutput(mostHeld: 1) { data in written.withLock { $0 += data } }
        for number in [5, 1, 3] { try output.put(Data([UInt8(number), 0]), at: number) }
        try output.finish()
        #expect(written.withLock { $0 } == Data([1, 0, 3, 0, 5, 0]))
    }

    @Test("a body that arrives waits in a file for its turn, and nothing follows a cancelled one")
    func arriving() throws {
        let written = Locked(Data())
        let output = OrderedOutput(mostHeld: 1) { data in written.withLock { $0 += data } }
        let bodies = (0..<3).map { ArrivingBody(output, $0, mostHeld: 4) }
        let piece = Data(repeating: 1, count: 3), other = Data(repeating: 2, count: 3)
        try bodies[0].add(piece)
        #expect(written.withLock { $0.isEmpty })
        try bodies[0].add(piece)
        #expect(written.withLock { $0 } == piece + piece)
        for _ in 0..<2 { try bodies[1].add(other) }
        try bodies[1].finish()
        for _ in 0..<2 { try bodies[2].add(piece) }
        try bodies[0].add(piece)
        #expect(output.held == 0 && written.withLock { $0 } == piece + piece + piece)
        // The second is still in its file; the third gets its turn while it arrives.
        #expect(bodies[0].giveUp(isCancelled: false))
        try output.put(Data([7]), at: 0)
        #expect(written.withLock { $0 } == piece + piece + piece + other + other)
        try bodies[2].add(other)
        #expect(written.withLock { $0.suffix(9) } == piece + piece + other)
        #expect(bodies[2].giveUp(isCancelled: true))
        try output.put(Data([8]), at: 3)
        try output.finish()
        #expect(written.withLock { $0.last } == 2)
    }

    @Test("a failure of writing is kept, and ends all that follow")
    func failing() {
        let output = OrderedOutput(mostHeld: 1) { _ in throw POSIXError(.EPIPE) }
        #expect(throws: POSIXError.self) { try output.put(Data([1]), at: 0) }
        #expect(throws: POSIXError.self) { try output.put(Data([2]), at: 5) }
        #expect(throws: POSIXError.self) { try output.finish() }
    }
}
