import Testing

@testable import SteplineCommand

@Suite("What is told after a task's beginning", .timeLimit(.minutes(5)))
struct StartOrderTests {
    @Test("a task's pipelines wait for its beginning, all of them, and later ones no longer")
    func begins() {
        var order = StartOrder()
        let (first, second, other) = (order.follow("a"), order.follow("a"), order.follow("b"))
        #expect(first != nil && second != nil && other != nil)
        let begun = order.begin("a")
        #expect(begun.count == 2 && begun.first === first && begun.last === second)
        let (later, again) = (order.follow("a"), order.begin("a"))
        #expect(later == nil && again.isEmpty)
    }

    @Test("when nothing more is going to begin, nobody waits")
    func ends() {
        var order = StartOrder()
        let waiting = order.follow("a")
        let released = order.end()
        #expect(released.count == 1 && released.first === waiting)
        let (later, again) = (order.follow("b"), order.end())
        #expect(later == nil && again.isEmpty)
    }
}
