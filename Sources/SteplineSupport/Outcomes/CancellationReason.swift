/// Why something was cancelled: a code to look at, and a phrase for people.
///
///     download.cancel("the user left")
public struct CancellationReason: Sendable, Hashable {
    /// The kinds of reasons; more may be added.
    public struct Code: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// Makes a code of one's own.
        public init(_ name: String) { description = name }

        /// Somebody called `cancel`.
        public static let requested = Code("requested")
        /// Nobody was left who wanted the result.
        public static let unwanted = Code("unwanted")
        /// The Swift task that awaited the result was cancelled.
        public static let awaitingTask = Code("awaitingTask")
        /// A part was cancelled, or threw a `CancellationError` of its own.
        public static let part = Code("part")
        /// What surrounds it was cancelled, or ended.
        public static let surroundings = Code("surroundings")
        /// Another part has failed, and the rest isn't wanted then.
        package static let otherFailure = Code("otherFailure")
        /// The time for the whole was over.
        public static let deadline = Code("deadline")
        /// The queue that it waited in was emptied or is gone.
        public static let queueCancelled = Code("queueCancelled")
        /// What became of it can't be kept.
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

    /// Makes a reason.
    public init(_ code: Code, _ text: String) { storage = Storage(code, text) }

    /// What kind of reason it is.
    public var code: Code { storage.code }

    /// On request, with nothing else said.
    public static let requested = CancellationReason(.requested, "on request")

    /// Nobody is left who wants the result: the last success callback was removed.
    public static let unwanted = CancellationReason(.unwanted, "nobody is left who wants the result")

    /// The Swift task that awaited `run()` was cancelled.
    public static let awaitingTask = CancellationReason(
        .awaitingTask, "the task that awaited it was cancelled")

    /// The time for the whole was over.
    public static let deadline = CancellationReason(.deadline, "its deadline has passed")

    /// The queue that it waited in was emptied or is gone.
    public static let queueCancelled = CancellationReason(
        .queueCancelled, "its queue was emptied")
}

extension CancellationReason: CustomStringConvertible {
    /// The reason as a phrase.
    public var description: String { storage.text }
}

extension CancellationReason: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// On request, in the words of whoever cancels.
    public init(stringLiteral text: String) { self.init(.requested, text) }
}

extension CancellationReason: Codable {
    private enum Key: CodingKey { case code, text }

    /// Reads what ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            Code(try values.decode(String.self, forKey: .code)), try values.decode(String.self, forKey: .text)
        )
    }

    /// Writes the code's name and the words.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(code.description, forKey: .code)
        try values.encode(storage.text, forKey: .text)
    }
}
