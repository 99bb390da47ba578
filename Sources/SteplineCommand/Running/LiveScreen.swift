import Foundation
import SteplineSupport

/// A status line at the bottom of a terminal, redrawn in place, with permanent text above it.
final class LiveScreen: Sendable {
    private struct State {
        var isDrawn = false
        var isClosed = false
    }

    private static let clear = "\r\u{1B}[K"

    private let terminal: OutputHandle
    private let state = Locked(State())

    init(_ terminal: OutputHandle) { self.terminal = terminal }

    /// Replaces the line; has no effect after `close`.
    func draw(_ line: String) {
        state.withLock { state in
            guard !state.isClosed else { return }
            // Ignore errors: the terminal is gone, and so is its user.
            try? terminal.write(Self.clear + line)
            state.isDrawn = true
        }
    }

    /// Removes the line permanently.
    func close() {
        above {}
        state.withLock { $0.isClosed = true }
    }

    /// Removes the line and writes permanent text in its place; the next line is drawn below.
    func above<Result>(_ write: () throws -> Result) rethrows -> Result {
        try state.withLock { state in
            if state.isDrawn { try? terminal.write(Self.clear) }
            state.isDrawn = false
            return try write()
        }
    }

    /// Returns the terminal's properties; nil if it can't show a status line.
    static func canvas(
        of terminal: OutputHandle, _ environment: [String: String], wantsColors: Bool?
    ) -> RunFrame.Canvas? {
        guard terminal.isTerminal, let kind = environment["TERM"], !kind.isEmpty, kind != "dumb" else {
            return nil
        }
        var canvas = RunFrame.Canvas()
        var size = winsize()
        if ioctl(terminal.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            canvas.columns = Int(size.ws_col)
        }
        let hasNoColor = !(environment["NO_COLOR"] ?? "").isEmpty
        canvas.hasColors = wantsColors ?? !hasNoColor
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        canvas.isUnicode = locale.map { $0.uppercased().contains("UTF") } ?? false
        return canvas
    }
}
