/// A message of a log with its origin.
public struct LogRecord: Sendable, Hashable {
    /// The level.
    public let level: StepLog.Level
    /// The text of the message.
    public let message: String
    /// The tags of the message.
    public let tags: [String]
    /// Further values by name.
    public let metadata: [String: String]
    /// The module of the caller.
    public let source: String
    /// The caller's file.
    public let file: String
    /// The caller's function.
    public let function: String
    /// The caller's line.
    public let lineNumber: UInt
    /// The time since the creation of the log.
    public let time: Duration
    /// Whether it was said on the main thread.
    let isOnMainThread: Bool
    /// The thread's number.
    public let thread: UInt64
    /// Whether `line` contains the tags.
    let showsTags: Bool

    /// The record in the form `[LEVEL:ms][UI|BG:thread,file:line,function<,tags>] => message`.
    public var line: String {
        let place = [
            "\(isOnMainThread ? "UI" : "BG"):\(thread)", "\(shortFile):\(lineNumber)", shortFunction,
        ]
        let words = showsTags ? place + tags : place
        return "[\(level.letter):\(milliseconds)][\(words.joined(separator: ","))] => \(message)"
    }

    /// The file name without folder and suffix.
    var shortFile: String {
        let name = file.lastName
        return name.hasSuffix(".swift") ? String(name.dropLast(6)) : name
    }

    /// The function without its parameters.
    var shortFunction: String { function.split(separator: "(").first.map(String.init) ?? function }

    private var milliseconds: String {
        let hundredths = Int64((time.inSeconds * 100_000).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension LogRecord: CustomStringConvertible {
    /// The record in the form of ``line``.
    public var description: String { line }
}
