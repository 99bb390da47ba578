/// The state under a log's lock: sinks, filters, history and pending records.
struct LogState {
    var sinks: [(id: LogSinkID, sink: any LogSink)] = []
    var lastSink = 0
    var passing: Set<String> = []
    var dropping: Set<String> = []
    var history: [String] = []
    var historyStart = 0
    var showsTags = false
    var queue: [LogRecord] = []
    /// Whether a thread is delivering records.
    var isDelivering = false
    var flushing: [@Sendable () -> Void] = []

    /// Returns whether the filters accept a record with these words.
    func lets(_ words: @autoclosure () -> [String]) -> Bool {
        guard !passing.isEmpty || !dropping.isEmpty else { return true }
        let words = words()
        if words.contains(where: dropping.contains) { return false }
        return passing.isEmpty || words.contains(where: passing.contains)
    }

    mutating func remember(_ line: String, most size: Int) {
        guard size > 0 else { return }
        if history.count < size {
            history.append(line)
        } else {
            history[historyStart] = line
            historyStart = (historyStart + 1) % size
        }
    }

    var oldestFirst: [String] { Array(history[historyStart...] + history[..<historyStart]) }
}
