extension LoadOptions {
    /// The most bytes of a body that is kept in memory, unless the options say otherwise.
    private static let mostInMemory = 256 << 20
    /// The most bytes of one that isn't.
    package static let mostElsewhere = 64 << 30

    /// The most bytes a body may have; whoever doesn't keep it in memory has set `sizeLimit` before.
    package var mostBytes: Int { sizeLimit ?? Self.mostInMemory }
}
