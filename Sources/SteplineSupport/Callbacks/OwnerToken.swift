/// The identity of a callback's owner.
///
/// The owner isn't retained. A weak reference becomes nil with its object, so a new object at the same address isn't
/// mistaken for the old owner.
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
        // Reading a weak reference retains its object for a moment, possibly as the last reference, and this method is
        // called under locks. Therefore only the given owner's reference is read, whose object the caller retains.
        guard let reference, reference.id == ObjectIdentifier(owner) else { return false }
        return reference.object != nil
    }
}
