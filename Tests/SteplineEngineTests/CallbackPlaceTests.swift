import Dispatch
import SteplineEngine
import Testing

@Suite("Places of callbacks", .timeLimit(.minutes(5)))
struct CallbackPlaceTests {
    @Test func `a place knows whether a thread is on it`() async {
        let (mine, other) = (DispatchQueue(label: "mine"), DispatchQueue(label: "other"))
        let places = [CallbackPlace(mine), CallbackPlace(other), .anywhere, CallbackPlace(.main)]
        for place in places { place.mark() }
        #expect(mine.sync { places.map(\.isHere) } == [true, false, false, false])
        #expect(await MainActor.run { places.map(\.isHere) } == [false, false, false, true])
        let main = CallbackPlace.actor(MainActor.shared)
        main.mark()
        #expect(await MainActor.run { main.isHere })
        #expect(!main.isHere && main == CallbackPlace(.main))
    }

    @Test func `a queue that hands its work to another is a place of its own`() {
        let target = DispatchQueue(label: "target")
        let queue = DispatchQueue(label: "queue", target: target)
        let places = [CallbackPlace(queue), CallbackPlace(target)]
        for place in places { place.mark() }
        #expect(queue.sync { places.map(\.isHere) } == [true, false])
        #expect(target.sync { places.map(\.isHere) } == [false, true])
    }

    // On Linux it is an object of its own each time it is asked for.
    @Test func `a global queue is one place, and no queue on top of it is taken for it`() {
        let place = CallbackPlace(DispatchQueue.global()), again = CallbackPlace(DispatchQueue.global())
        #expect(place == again && place.hashValue == again.hashValue)
        #expect(place != CallbackPlace(DispatchQueue.global(qos: .utility)))
        place.mark()
        let queue = DispatchQueue(label: "on top", target: .global())
        #expect(!queue.sync { place.isHere })
    }

    private actor Ledger {
        private(set) var numbers: [Int] = []
        func append(_ number: Int) { numbers.append(number) }
    }

    @Test func `an actor runs its callbacks in the order of their calls`() async {
        let ledger = Ledger()
        let (ends, last) = AsyncStream<Void>.makeStream()
        let count = 5000
        for number in 0..<count {
            CallbackPlace.actor(ledger).perform {
                ledger.assumeIsolated { $0.append(number) }
                if number == count - 1 { last.finish() }
            }
        }
        for await _ in ends {}
        #expect(await ledger.numbers == Array(0..<count))
    }

    @Test func `callbacks for the main actor keep their order beside those for the main queue`() async {
        let (ends, last) = AsyncStream<Int>.makeStream()
        for number in 0..<1000 {
            let place: CallbackPlace = number.isMultiple(of: 2) ? .actor(MainActor.shared) : .queue(.main)
            place.perform {
                MainActor.assertIsolated()
                last.yield(number)
                if number == 999 { last.finish() }
            }
        }
        var numbers: [Int] = []
        for await number in ends { numbers.append(number) }
        #expect(numbers == Array(0..<1000))
    }
}
