import Foundation
import SteplineSupport

/// Records a run's exchanges with the network and with programs, and its input files.
final class FlowRecorder: Sendable {
    /// The largest recorded response, in bytes.
    static let mostBytes = 64 << 20

    private struct State {
        var exchanges: [RecordedExchange] = []
        var read: [URL] = []
        var written: Set<URL> = []
        var tooLarge: [String] = []
    }

    let secrets: SecretRedactor
    private let state = Locked(State())

    init(hiding secrets: SecretRedactor) { self.secrets = secrets }

    func keep(_ request: RecordedExchange.Request, _ answer: RecordedExchange.Answer) {
        state.withLock { $0.exchanges.append(RecordedExchange(request: request, answer: answer)) }
    }

    /// Records that a response exceeded the limit.
    func noteTooLarge(_ request: RecordedExchange.Request) {
        state.withLock { $0.tooLarge.append(request.line) }
    }

    /// Records that a file was read; it is an input unless the run has created it.
    func noteRead(_ file: URL) {
        state.withLock { state in
            if !state.written.contains(file), !state.read.contains(file) { state.read.append(file) }
        }
    }

    func noteWritten(_ file: URL) { state.withLock { _ = $0.written.insert(file) } }

    /// The exchanges in order of arrival, without secrets.
    var exchanges: [RecordedExchange] {
        state.withLock { $0.exchanges }.map {
            // A request may hold a value that was masked later.
            RecordedExchange(request: $0.request.hiding(secrets), answer: $0.answer.hiding(secrets))
        }
    }

    /// The files that were read and not created by the run.
    var inputs: [URL] { state.withLock { $0.read } }

    /// The requests whose responses were too large.
    var tooLarge: [String] { state.withLock { $0.tooLarge } }
}
