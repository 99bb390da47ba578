import Foundation
import Stepline

/// Shows the progress of a workflow: on a terminal by a line that is redrawn, otherwise by a line for each end.
///
/// It only reads the stream of events. Other views can do so at the same time.
struct ProgressView {
    private let reading: Task<Void, Never>

    init(of workflow: Workflow) {
        let events = workflow.events
        let count = workflow.allTasks.count
        let isTerminal = isatty(STDERR_FILENO) == 1
        reading = Task {
            var state = State(count: count)
            for await event in events {
                let line = state.line(after: event)
                if isTerminal {
                    write("\r\u{1B}[K\(state.summary)")
                } else if let line {
                    write("\(line)\n")
                }
                if case .settled = event.kind { break }
            }
            if isTerminal { write("\r\u{1B}[K") }
        }
    }

    /// Waits until the last event is shown.
    func finish() async { await reading.value }

    /// The content to show, independent of the output.
    struct State {
        let count: Int
        private var done = 0
        private var running: [String: String] = [:]

        init(count: Int) { self.count = count }

        /// `[3 of 7] find Oslo: decode · find Kyoto`.
        var summary: String {
            let names = running.sorted { $0.key < $1.key }.map { name, step in
                step.isEmpty ? name : "\(name): \(step)"
            }
            return "[\(done) of \(count)] " + names.joined(separator: " · ")
        }

        /// Updates the state, and returns a line for events worth showing.
        mutating func line(after event: WorkflowEvent) -> String? {
            switch event.kind {
            case .started:
                running[event.name] = ""
            case .step(let step):
                running[event.name] = step
            case .finished, .failed, .cancelled:
                running[event.name] = nil
                done += 1
                if case .finished = event.kind { return "✓ \(event.name)" }
                return "✗ \(event.name)"
            case .attemptFailed(let why, let wait):
                return "↻ \(event.name): \(why); again in \(wait)"
            default: break
            }
            return nil
        }
    }
}

private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
