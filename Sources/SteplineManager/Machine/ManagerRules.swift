/// The constant settings of a manager.
struct ManagerRules {
    let interceptors: [String]
    let reactors: [String]
    /// The time limit for an answer of an interceptor or reactor.
    let answerTimeout: Duration
    /// The time that a stopped body keeps its slot, and that the next run waits for the body of the previous one.
    let grace: Duration
    /// The maximum number of tasks that haven't begun; nil for no limit.
    let maximumWaiting: Int?
}
