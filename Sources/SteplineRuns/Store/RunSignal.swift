public import Foundation

/// A message to a run from outside its process.
public enum RunSignal: Sendable, Hashable, Codable {
    /// Fulfils a condition, with an encoded value if the condition expects one.
    case fulfil(condition: String, Data?)
    /// Cancels the run for the given reason.
    case cancel(String)
}
