import Dispatch
import SteplineEngine
import Testing

@Suite("Places of callbacks", .timeLimit(.minutes(1)))
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
}
