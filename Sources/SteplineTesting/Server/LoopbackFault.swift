/// A fault while the server responds.
public struct LoopbackFault: Sendable {
    enum Kind: Sendable {
        case silence
        case stall(after: Int)
        case hold(after: Int, Gate)
        case reset(after: Int)
        case close(after: Int)
        case drip(bytes: Int, every: Duration)
    }

    let kind: Kind

    /// The server sends nothing and keeps the connection open.
    public static let silence = LoopbackFault(kind: .silence)

    /// The body stops after the given number of bytes, and the connection stays open.
    public static func stall(after bytes: Int) -> LoopbackFault { .init(kind: .stall(after: bytes)) }

    /// The body waits after the given number of bytes until the gate is opened.
    public static func hold(after bytes: Int, _ gate: Gate) -> LoopbackFault {
        .init(kind: .hold(after: bytes, gate))
    }

    /// The connection is reset after the given number of body bytes.
    public static func reset(after bytes: Int) -> LoopbackFault { .init(kind: .reset(after: bytes)) }

    /// The connection is closed after the given number of body bytes, as if the body were complete.
    public static func close(after bytes: Int) -> LoopbackFault { .init(kind: .close(after: bytes)) }

    /// The body comes in small pieces with waits in between.
    package static func drip(bytes: Int = 1, every interval: Duration) -> LoopbackFault {
        .init(kind: .drip(bytes: max(bytes, 1), every: interval))
    }
}
