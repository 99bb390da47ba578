/// The place of code that a manager calls: a body, an interceptor, a reactor or a callback.
struct ManagerPlace: Sendable {
    enum Kind { case body, interceptor, asking, run, callback }

    @TaskLocal static var current: ManagerPlace?

    let control: any TaskControl
    let kind: Kind
    /// The task of the body.
    var record: TaskRecord?
    var attempt: UInt32 = 0
    /// The reactor whose run contains the code, directly or through a task added there.
    var reactor: Int?
}
