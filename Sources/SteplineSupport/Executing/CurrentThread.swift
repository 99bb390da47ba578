import Foundation

/// Returns a number that identifies the calling thread among live threads.
@usableFromInline
package func currentThread() -> UInt {
    #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}
