/// Who registered a callback: an identity and nothing more.
///
/// The owner isn't retained, and since a weak reference turns nil with its object, a new object at the
/// same address is never taken for the old one.
package struct OwnerToken: Sendable {
    private final class Reference: @unchecked Sendable {  // weak references are thread-safe; never reassigned
        weak var object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
    }

    private let reference: Reference?

    package init(_ owner: AnyObject?) {
        reference = owner.map(Reference.init)
    }

    package func belongs(to owner: AnyObject) -> Bool {
        reference?.object === owner
    }
}
