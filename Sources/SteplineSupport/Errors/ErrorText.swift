import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The text of errors for logs, events, reports, stores and messages.
package enum ErrorText {
    /// Returns the error as a single line without secrets; empty for no error.
    ///
    /// Reads the error's description, which is user code: never call this under a lock.
    package static func line(_ error: (any Error)?) -> String {
        guard let error else { return "" }
        return Redaction.standard.text(withoutBreaks(words(of: error)))
    }

    /// Returns the error as a single line, without the name at its beginning that the caller shows itself.
    package static func line(_ error: (any Error)?, of name: String) -> String {
        withoutName(name, line(error))
    }

    /// Returns a text without a name at its beginning.
    package static func withoutName(_ name: String, _ text: String) -> String {
        text.hasPrefix("\(name): ") ? String(text.dropFirst(name.count + 2)) : text
    }

    /// Returns a text without line breaks, so a log entry stays one line.
    package static func withoutBreaks(_ text: String) -> String {
        guard text.contains(where: \.isNewline) else { return text }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func words(of error: any Error) -> String {
        if let error = error as? URLError {
            // The description of `URLError` is a dump of its user info.
            return "URLError \(error.code.rawValue): \(error.localizedDescription)"
        }
        if let error = error as? DecodingError { return words(of: error) }
        return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }

    /// Returns the place of the value as a JSON Pointer, what is wrong, and the cause.
    private static func words(of error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return "\(error)"
        }
        let pointer = context.codingPath.map { key in
            let name = key.intValue.map(String.init) ?? key.stringValue
            return "/" + name.rewriting { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil }
        }.joined()
        var text = context.debugDescription
        if let cause = context.underlyingError.map({ line($0) }) {
            // An error of XML has the same words, and the line.
            text = cause.contains(text) ? cause : "\(text) (\(cause))"
        }
        return pointer.isEmpty ? text : "\(pointer): \(text)"
    }
}
