/// Somebody who waits, to be woken once; never a user's code.
@usableFromInline
package protocol Waiter: AnyObject, Sendable {
    func wake()
}
