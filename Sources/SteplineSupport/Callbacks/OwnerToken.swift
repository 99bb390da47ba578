/// Who registered a callback: an identity and nothing more.
///
/// The owner isn't retained, and since a weak reference turns nil with its object, a new object at the
/// same address is never taken for the old one.
@usableFromInline
package struct OwnerToken: Sendable {
    private final class Reference: @unchecked Sendable {  // weak references are thread-safe; never reassigned
        weak var object: AnyObject?
        let id: ObjectIdentifier
        init(_ object: AnyObject) {
            self.object = object
            id = ObjectIdentifier(object)
        }
    }

    private let reference: Reference?

    @usableFromInline
    package init(_ owner: AnyObject?) {
        reference = owner.map(Reference.init)
    }

    package func belongs(to owner: AnyObject) -> Bool {
        // Reading a weak reference holds its object for a moment, which might then be the last to hold it; this
        // is asked under locks. So only that of the owner itself is read, which the caller holds.
        guard let reference, reference.id == ObjectIdentifier(owner) else { return false }
        return reference.object != nil
    }
}
