extension LoadOptions {
    /// The default size limit of a body in memory, in bytes.
    private static let mostInMemory = 256 << 20
    /// The default size limit of a body elsewhere, in bytes.
    package static let mostElsewhere = 64 << 30

    /// The size limit of a body; loads that don't keep the body in memory set `sizeLimit` first.
    package var mostBytes: Int { sizeLimit ?? Self.mostInMemory }
}
