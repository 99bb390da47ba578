import Foundation

/// A text that is compared and sorted by its scalars, as in JSON, XML and file systems.
///
/// Swift considers `é` as one scalar or two to be equal: a dictionary with such keys would lose one of them.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        guard left.text.utf8.count == right.text.utf8.count else { return false }
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let one = left.baseAddress, let other = right.baseAddress else { return true }
                // Equal storage is common, because texts are copied.
                return one == other || memcmp(one, other, left.count) == 0
            }
        }
    }

    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
