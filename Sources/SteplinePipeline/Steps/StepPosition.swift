/// The position of a step in its pipeline, as shown in errors, events and contexts.
public struct StepPosition: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The step's name.
    public let name: String

    /// The name of the step's class.
    public let type: String

    /// The index in the line, from 0.
    public let index: Int

    /// The number of steps in the line at the time of the report.
    public let count: Int

    /// `step 2 of 3 "decode"`.
    public var description: String { "step \(index + 1) of \(count) \"\(name)\"" }

    init(name: String, type: String, index: Int, count: Int) {
        self.name = name
        self.type = type
        self.index = index
        self.count = count
    }
}
