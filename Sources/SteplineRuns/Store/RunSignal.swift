public import Foundation

/// Word for a run from outside.
public enum RunSignal: Sendable, Hashable, Codable {
    /// A condition is fulfilled, with a value if it takes one.
    case fulfil(condition: String, Data?)
    /// The run is to be cancelled, for that reason.
    case cancel(String)
}
