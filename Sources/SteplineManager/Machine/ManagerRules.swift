/// What never changes in a manager's life.
struct ManagerRules {
    let interceptors: [String]
    let reactors: [String]
    /// How long an interceptor or reactor may take to answer.
    let answerTimeout: Duration
    /// How long a stopped body keeps its slot, and the next run waits for the body of the last.
    let grace: Duration
    /// How many tasks may wait for their begin; nil: any number.
    let maximumWaiting: Int?
}
