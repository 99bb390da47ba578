/// The progress of a pipeline along its steps.
public struct PipelineStepProgress: Sendable, Hashable {
    /// The number of steps that have succeeded.
    public let done: Int
    /// The number of steps.
    public let count: Int
    /// The name of the running or waiting step.
    public let current: String?
    /// The completed fraction from 0 to 1, from the steps' weights and reports; nil while a step doesn't know its
    /// total.
    public let fraction: Double?

    package init(done: Int, count: Int, current: String?, fraction: Double?) {
        self.done = done
        self.count = count
        self.current = current
        self.fraction = fraction
    }
}

extension PipelineStepProgress: CustomStringConvertible {
    /// The progress as text: `40 % done: 1 of 3 steps, now "decode"`.
    public var description: String {
        // Rounded down, so 100 % means complete.
        let part = fraction.map { "\(Int($0 * 100)) % done: " } ?? ""
        return "\(part)\(done) of \(count) steps" + (current.map { ", now \"\($0)\"" } ?? "")
    }
}
