import Foundation
import SteplineSupport

/// The recorded responses, each returned for an equal request.
///
/// Repeated requests get their responses in the recorded order; the last response is repeated.
final class RecordedAnswers: Sendable {
    /// A request without a recorded response, and the most similar recorded requests.
    struct Missing: Sendable {
        let request: RecordedExchange.Request
        let nearest: [RecordedExchange.Request]
    }

    private struct State {
        var given: [RecordedExchange.Request: Int] = [:]
        var missing: [Missing] = []
    }

    let secrets: SecretRedactor
    private let exchanges: [RecordedExchange.Request: [RecordedExchange]]
    private let realPrograms: Set<String>
    private let state = Locked(State())

    /// Creates the responses from exchanges in order; the named programs are really executed.
    init(_ exchanges: [RecordedExchange], lettingRun programs: Set<String>, hiding secrets: SecretRedactor) {
        self.exchanges = Dictionary(grouping: exchanges, by: \.request.key)
        realPrograms = programs
        self.secrets = secrets
    }

    /// Returns whether a program is really executed.
    func lets(_ program: String) -> Bool { realPrograms.contains(program) }

    /// Returns the response to a request; nil if it wasn't recorded, which is noted.
    func answer(to request: RecordedExchange.Request) -> RecordedExchange.Answer? {
        let key = request.key
        guard let answers = exchanges[key] else {
            let missing = Missing(request: request, nearest: nearest(to: request))
            state.withLock { $0.missing.append(missing) }
            return nil
        }
        let number = state.withLock { state in
            defer { state.given[key, default: 0] += 1 }
            return state.given[key] ?? 0
        }
        return answers[min(number, answers.count - 1)].answer
    }

    /// Returns the recorded output of a program; throws if the program failed or wasn't recorded.
    func output(of request: RecordedExchange.Request) throws -> Data {
        guard let answer = answer(to: request) else { throw FlowError("this call isn't in the recording") }
        if let failure = answer.failure { throw FlowError(failure.text) }
        return answer.body
    }

    /// The requests that weren't recorded.
    var missing: [Missing] { state.withLock { $0.missing } }

    /// The number of responses that no request has used.
    var unasked: Int {
        let given = state.withLock { $0.given }
        return exchanges.map { max(0, $0.value.count - (given[$0.key] ?? 0)) }.reduce(0, +)
    }

    /// Returns the most similar requests: those to the same place first, then those with the most similar line.
    private func nearest(to request: RecordedExchange.Request) -> [RecordedExchange.Request] {
        let known = exchanges.keys.filter {
            ($0.method == RecordedExchange.Request.program)
                == (request.method == RecordedExchange.Request.program)
        }
        let ranked = known.map { (Self.likeness($0.line, request.line), $0) }
        return ranked.sorted { ($1.0, $0.1.line) < ($0.0, $1.1.line) }.prefix(Self.mostNearest).map(\.1)
    }

    private static let mostNearest = 3

    /// Returns the number of equal bytes at the beginning and at the end.
    private static func likeness(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        let beginning = zip(left, right).prefix { $0 == $1 }.count
        let most = min(left.count, right.count) - beginning
        return beginning + zip(left.reversed(), right.reversed()).prefix(most).prefix { $0 == $1 }.count
    }
}
