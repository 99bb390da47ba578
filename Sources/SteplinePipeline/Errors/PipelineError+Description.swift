import SteplineSupport

extension PipelineError: CustomStringConvertible {
    /// The error as a single line:
    /// `forecast: step 2 of 3 "decode" (bodyData -> bodyObject: City) failed: no member "name"`.
    public var description: String {
        let subject = [pipeline.isEmpty ? nil : pipeline, step.map(describe)].compactMap { $0 }
        // `step 2 of 3 "decode" failed` reads as a sentence; any other text follows a colon.
        let isVerb = !subject.isEmpty && predicate.hasPrefix("failed")
        let joint = subject.isEmpty ? "" : isVerb ? " " : ": "
        return ErrorText.withoutBreaks(subject.joined(separator: ": ") + joint + predicate)
    }

    /// The error as a single line.
    public var errorDescription: String? { description }

    private var predicate: String {
        let number = attempt == 1 ? "1 attempt" : "\(attempt) attempts"
        var attempts = attempt > 1 ? " after \(number)" : ""
        if let noRetry { attempts = " after \(number) (not retried: \(noRetry))" }
        if let cause { return "failed\(attempts): \(cause)" }
        if code == .checkFailed {
            return ([detail] + issues.map { "\($0)" }).joined(separator: "; ")
        }
        return step == nil ? detail : "failed\(attempts): \(detail)"
    }

    private func describe(_ step: StepPosition) -> String {
        guard !inputs.isEmpty || !outputs.isEmpty else { return "\(step)" }
        let read = inputs.map { "\($0)" }.joined(separator: ", ")
        let written = outputs.map { "\($0)" }.joined(separator: ", ")
        return "\(step) (\([read, written].filter { !$0.isEmpty }.joined(separator: " -> ")))"
    }
}
