extension StepLog {
    /// Logs at ``Level/verbose``.
    public func verbose(
        _ message: @autoclosure () -> String, from: Any? = nil, tags: [String] = [], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) { log(.verbose, message(), from: from, tags: tags, file: file, function: function, line: line) }

    /// Logs at ``Level/debug``.
    public func debug(
        _ message: @autoclosure () -> String, from: Any? = nil, tags: [String] = [], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) { log(.debug, message(), from: from, tags: tags, file: file, function: function, line: line) }

    /// Logs at ``Level/info``.
    public func info(
        _ message: @autoclosure () -> String, from: Any? = nil, tags: [String] = [], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) { log(.info, message(), from: from, tags: tags, file: file, function: function, line: line) }

    /// Logs at ``Level/warning``.
    public func warning(
        _ message: @autoclosure () -> String, from: Any? = nil, tags: [String] = [], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) { log(.warning, message(), from: from, tags: tags, file: file, function: function, line: line) }

    /// Logs at ``Level/error``.
    public func error(
        _ message: @autoclosure () -> String, from: Any? = nil, tags: [String] = [], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) { log(.error, message(), from: from, tags: tags, file: file, function: function, line: line) }
}
