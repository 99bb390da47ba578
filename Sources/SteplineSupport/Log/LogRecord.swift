/// One message of a log, with where it comes from.
public struct LogRecord: Sendable, Hashable {
    /// How important it is.
    public let level: StepLog.Level
    /// What is said.
    public let message: String
    /// The tags given with it.
    public let tags: [String]
    /// Facts by name.
    public let metadata: [String: String]
    /// The module that says it.
    public let source: String
    /// The caller's file.
    public let file: String
    /// The caller's function.
    public let function: String
    /// The caller's line.
    public let lineNumber: UInt
    /// The time since the log was made.
    public let time: Duration
    /// Whether it was said on the main thread.
    let isOnMainThread: Bool
    /// The thread's number.
    public let thread: UInt64
    /// Whether `line` tells the tags.
    let showsTags: Bool

    /// `[LEVEL:ms][UI|BG:thread,file:line,function<,tags>] => message`.
    public var line: String {
        let place = [
            "\(isOnMainThread ? "UI" : "BG"):\(thread)", "\(shortFile):\(lineNumber)", shortFunction,
        ]
        let words = showsTags ? place + tags : place
        return "[\(level.letter):\(milliseconds)][\(words.joined(separator: ","))] => \(message)"
    }

    /// The file without folder and suffix.
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
