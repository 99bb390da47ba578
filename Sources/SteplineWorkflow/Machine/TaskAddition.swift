/// The traits of a task with an object, beside those of all tasks.
struct ObjectTraits {
    var traits: TaskNode.Traits
    var keys: [PrerequisiteKey: Int32] = [:]
    var unkeyed: [Int32] = []
    /// Whether it is a condition that fails when it runs unfulfilled.
    var failsUnfulfilled = false
    /// Whether it is a condition that its time-out finishes.
    var isDelay = false
    /// Whether its inner workflow has the elements of a list.
    var isMap = false
}

/// The reason why a task can't be added.
enum Refusal {
    case nameIsTaken
    case follows(cleanup: String)
    case followsForgotten(String)
    case runsAlone
    case isKept
}
