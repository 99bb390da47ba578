/// An attempt that has begun, and its body.
struct TaskJob: Sendable {
    let number: Int32
    let attempt: UInt32
    let traits: TaskNode.Traits
    let work: TaskPart.Work
}
