/// The main actor as the place of callbacks that update a user interface.
///
///     pipeline.onSuccess(on: .main) { label.text = "\($0)" }
///
/// The callbacks run on the main queue, one at a time, in the order in which they become due.
public struct MainPlace: Sendable, Hashable {
    /// The main actor.
    public static let main = MainPlace()
}
