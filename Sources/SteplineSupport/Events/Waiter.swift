/// An object that waits to be woken once; never user code.
@usableFromInline
package protocol Waiter: AnyObject, Sendable {
    func wake()
}
