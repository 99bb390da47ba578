/// The reason of a cancellation: a code for programs and a phrase for people.
///
///     download.cancel("the user left")
public struct CancellationReason: Sendable, Hashable {
    /// The kinds of reasons; more may be added.
    public struct Code: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// Creates your own code.
        public init(_ name: String) { description = name }

        /// A caller requested the cancellation.
        public static let requested = Code("requested")
        /// No listener for the result was left.
        public static let unwanted = Code("unwanted")
        /// The Swift task that waited for the result was cancelled.
        public static let awaitingTask = Code("awaitingTask")
        /// A part was cancelled, or threw a `CancellationError`.
        public static let part = Code("part")
        /// The surrounding work was cancelled or has ended.
        public static let surroundings = Code("surroundings")
        /// Another part has failed, and the rest isn't wanted then.
        package static let otherFailure = Code("otherFailure")
        /// The time for the whole was over.
        public static let deadline = Code("deadline")
        /// The queue was cancelled or freed.
        public static let queueCancelled = Code("queueCancelled")
        /// The store can't keep the task's end.
        package static let storeFailed = Code("storeFailed")
    }

    // An object, so that what is never cancelled carries one word for it.
    private final class Storage: Sendable, Hashable {
        let code: Code
        let text: String

        init(_ code: Code, _ text: String) {
            self.code = code
            self.text = text
        }

        static func == (left: Storage, right: Storage) -> Bool {
            left === right || (left.code == right.code && left.text == right.text)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(code)
            hasher.combine(text)
        }
    }

    private let storage: Storage

    /// Creates a reason from a code and a phrase.
    public init(_ code: Code, _ text: String) { storage = Storage(code, text) }

    /// The kind of reason.
    public var code: Code { storage.code }

    /// A cancellation on request, without further details.
    public static let requested = CancellationReason(.requested, "on request")

    /// The last success callback was removed, so no listener for the result is left.
    public static let unwanted = CancellationReason(.unwanted, "no listener is left for the result")

    /// The Swift task that awaited `run()` was cancelled.
    public static let awaitingTask = CancellationReason(
        .awaitingTask, "the task that awaited it was cancelled")

    /// The time limit of the whole was exceeded.
    public static let deadline = CancellationReason(.deadline, "its deadline has passed")

    /// The queue was cancelled or freed.
    public static let queueCancelled = CancellationReason(
        .queueCancelled, "its queue was emptied")
}

extension CancellationReason: CustomStringConvertible {
    /// The reason as a phrase.
    public var description: String { storage.text }
}

extension CancellationReason: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a reason on request, with the caller's phrase.
    public init(stringLiteral text: String) { self.init(.requested, text) }
}

extension CancellationReason: Codable {
    private enum Key: CodingKey { case code, text }

    /// Decodes a reason.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            Code(try values.decode(String.self, forKey: .code)), try values.decode(String.self, forKey: .text)
        )
    }

    /// Encodes the code's name and the phrase.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(code.description, forKey: .code)
        try values.encode(storage.text, forKey: .text)
    }
}
