import Foundation
import SteplineSupport

/// A frame at the bottom of a terminal that is drawn over and over, with lasting text above it.
final class LiveScreen: Sendable {
    private struct State {
        /// How many lines the frame on the screen has.
        var count = 0
        var isClosed = false
    }

    private let terminal: OutputHandle
    private let state = Locked(State())

    init(_ terminal: OutputHandle) { self.terminal = terminal }

    /// Replaces the frame; does nothing once the screen is closed.
    func draw(_ lines: [String]) {
        state.withLock { state in
            guard !state.isClosed else { return }
            // A terminal that is gone has nobody before it who could be told.
            try? terminal.write(Self.redrawing(state.count, with: lines))
            state.count = lines.count
        }
    }

    /// Takes the frame away for good.
    func close() {
        draw([])
        state.withLock { $0.isClosed = true }
    }

    /// Takes the frame away, lets something be written in its place, which stays; the next frame comes below.
    func above<Result>(_ write: () throws -> Result) rethrows -> Result {
        try state.withLock { state in
            try? terminal.write(Self.redrawing(state.count, with: []))
            state.count = 0
            return try write()
        }
    }

    /// What replaces a frame of `count` lines, the cursor being below it, without a flicker.
    static func redrawing(_ count: Int, with lines: [String]) -> String {
        guard count > 0 || !lines.isEmpty else { return "" }
        let up = count > 0 ? "\u{1B}[\(count)A" : ""
        return "\r" + up + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    /// The terminal's size and kind; nil if it can't show a live view.
    static func canvas(
        of terminal: OutputHandle, _ environment: [String: String], wantsColors: Bool?
    ) -> RunFrame.Canvas? {
        guard terminal.isTerminal, let kind = environment["TERM"], !kind.isEmpty, kind != "dumb" else {
            return nil
        }
        var canvas = RunFrame.Canvas()
        var size = winsize()
        if ioctl(terminal.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
            canvas.columns = Int(size.ws_col)
            canvas.rows = Int(size.ws_row)
        }
        let hasNoColor = !(environment["NO_COLOR"] ?? "").isEmpty
        canvas.hasColors = wantsColors ?? !hasNoColor
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        canvas.isUnicode = locale.map { $0.uppercased().contains("UTF") } ?? false
        return canvas
    }
}
