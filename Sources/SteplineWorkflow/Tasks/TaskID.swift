/// Where a task is: its position in the workflow, from 1, after those of the workflows around it.
///
/// It is unique in the workflow, the same in every run, and never changes.
public struct TaskID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The positions, outermost first.
    public let path: [Int]

    init(_ path: [Int]) { self.path = path }

    /// The positions with dots between them, as `3.2`.
    public var description: String { path.map(String.init).joined(separator: ".") }
}
