/// Where code of a manager's runs: in a body, an interceptor, a reactor or a callback.
struct ManagerPlace: Sendable {
    enum Kind { case body, interceptor, asking, run, callback }

    @TaskLocal static var current: ManagerPlace?

    let door: ManagerCore
    let kind: Kind
    /// The task whose body it is.
    var record: TaskRecord?
    var attempt: UInt32 = 0
    /// The reactor in whose run, or in a task added there, it is.
    var reactor: Int?
}
