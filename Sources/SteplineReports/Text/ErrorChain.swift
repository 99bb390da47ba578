import SteplineSupport
import SteplineWorkflow

/// Formats an error and its causes as text without secrets.
enum ErrorChain {
    /// Returns the texts of an error and of its causes, the outermost first.
    static func texts(of error: (any Error)?) -> [String] {
        guard var next = error else { return ["no error given"] }
        // The failed elements of a map are in the report themselves, with their causes.
        if let summary = (next as? WorkflowError)?.summary { return [summary] }
        var texts = [text(next)]
        // Limit the depth: a custom error may return an endless chain of causes.
        while texts.count < 8, let cause = (next as? any ErrorWithCause)?.underlying {
            let text = text(cause)
            if text != texts.last { texts.append(text) }
            next = cause
        }
        return texts
    }

    private static func text(_ error: any Error) -> String {
        let text = ErrorText.line(error)
        return text.count > 2000 ? text.prefix(2000) + "…" : text
    }
}
