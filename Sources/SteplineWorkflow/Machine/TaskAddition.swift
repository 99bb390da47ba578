/// What the machine needs of a task with an object, beside what all tasks have.
struct ObjectTraits {
    var traits: TaskNode.Traits
    var keys: [PrerequisiteKey: Int32] = [:]
    var unkeyed: [Int32] = []
    /// Whether it is a condition that fails when it runs unfulfilled.
    var failsUnfulfilled = false
}

/// The reason why a task can't be added.
enum Refusal {
    case nameIsTaken
    case follows(cleanup: String)
    case followsForgotten(String)
    case runsAlone
    case isKept
}
