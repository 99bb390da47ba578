/// What was said of a task when it was added, and never changes.
struct TaskTerms: Sendable {
    let name: String
    let tags: Set<String>
    /// How long interception and begin wait at least.
    var delay = Duration.zero
    /// The limit of one attempt; nil: the task's own, if it has one.
    var timeout: Duration?
    /// The limit of everything.
    var deadline: Duration?
    /// The reactor in whose run it was added: it isn't asked, and the task begins in spite of suspension and pause.
    var reactor: Int?
    /// It was added by an interceptor, which can't be asked about it.
    var skipsInterception = false
}
