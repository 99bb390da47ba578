/// The main actor, as the place of callbacks that may touch the screen.
///
///     pipeline.onSuccess(on: .main) { label.text = "\($0)" }
///
/// They are called on the main queue, one by one in the order in which they become due.
public struct MainPlace: Sendable, Hashable {
    /// The main actor.
    public static let main = MainPlace()
}
