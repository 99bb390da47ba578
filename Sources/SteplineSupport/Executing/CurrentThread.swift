import Foundation

/// Identifies the calling thread among the threads that are alive.
package func currentThread() -> UInt {
    #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}
