import Foundation

extension PipelineError: CustomStringConvertible {
    /// One readable line:
    /// `forecast: step 2 of 3 "decode" (bodyData -> bodyObject: City) failed: no member "name"`.
    public var description: String {
        let subject = [pipeline.isEmpty ? nil : pipeline, step.map(describe)].compactMap { $0 }
        let isVerb = !subject.isEmpty && predicate.hasPrefix("failed")
        let joint = subject.isEmpty ? "" : isVerb ? " " : ": "
        return withoutBreaks(subject.joined(separator: ": ") + joint + predicate)
    }

    /// The same line.
    public var errorDescription: String? { description }

    private var predicate: String {
        let attempts = attempt > 1 ? " after \(attempt) attempts" : ""
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

/// An error's text without line breaks, so that a log line stays one.
func oneLine(_ error: any Error) -> String {
    if let error = error as? URLError {
        // Its own text tells the URL, and with it what may be a password or a token.
        return withoutBreaks("URLError \(error.code.rawValue): \(error.localizedDescription)")
    }
    return withoutBreaks((error as? any LocalizedError)?.errorDescription ?? "\(error)")
}

private func withoutBreaks(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
}
