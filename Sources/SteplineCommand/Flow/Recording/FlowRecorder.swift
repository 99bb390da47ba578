import Foundation
import SteplineSupport

/// Keeps what a run is answered by the network and by programs, and which files it reads.
final class FlowRecorder: Sendable {
    /// The largest answer that is kept.
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

    /// An answer is larger than what is kept.
    func noteTooLarge(_ request: RecordedExchange.Request) {
        state.withLock { $0.tooLarge.append(request.line) }
    }

    /// A file is read: an input, unless the run itself has made it.
    func noteRead(_ file: URL) {
        state.withLock { state in
            if !state.written.contains(file), !state.read.contains(file) { state.read.append(file) }
        }
    }

    func noteWritten(_ file: URL) { state.withLock { _ = $0.written.insert(file) } }

    /// All of them in the order in which they came, without secrets.
    var exchanges: [RecordedExchange] {
        state.withLock { $0.exchanges }.map {
            RecordedExchange(request: $0.request, answer: $0.answer.hiding(secrets))
        }
    }

    /// The files that were read and not made by the run.
    var inputs: [URL] { state.withLock { $0.read } }

    /// Whose answers were too large.
    var tooLarge: [String] { state.withLock { $0.tooLarge } }
}
