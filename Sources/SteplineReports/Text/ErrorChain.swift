import SteplineSupport

/// An error and what is behind it, as text without secrets.
enum ErrorChain {
    /// The texts of an error and of its causes, the outermost first.
    static func texts(of error: (any Error)?) -> [String] {
        guard var next = error else { return ["no error given"] }
        var texts = [text(next)]
        // A chain of causes has an end, but nobody promises that it is near.
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
