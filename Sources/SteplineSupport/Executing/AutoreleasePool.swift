#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// Calls a closure in an autorelease pool on Apple's platforms.
///
/// A thread that the library starts has one pool for its whole life, so a loop in it needs a pool for each round.
package func withAutoreleasePool<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    #if canImport(ObjectiveC)
        try autoreleasepool(invoking: body)
    #else
        try body()
    #endif
}
