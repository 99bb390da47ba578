import Testing

@testable import SteplineWorkflow

struct HandedTasksTests {
    @Test("WF-84, WF-86: one that has left those put off is handed on by none of its old tickets")
    func left() {
        var handed = HandedTasks()
        handed.putOff(1)
        handed.void(1)
        #expect(handed.nextPutOff() == nil)
        for number in [1, 1, 2] as [Int32] {
            handed.void(number)
            handed.putOff(number)
        }
        #expect(handed.nextPutOff() == 1 && handed.nextPutOff() == 2 && handed.nextPutOff() == nil)
    }

    @Test("WF-84: one that is on its way again isn't among those put off any more")
    func again() {
        var handed = HandedTasks()
        handed.putOff(1)
        handed.add(1)
        #expect(handed.nextPutOff() == nil)
        #expect(handed.takeFresh()?.map { handed.use($0.ticket, of: $0.number) } == [true])
    }
}
