import Foundation
import SteplineSupport

/// The answers of a recording, each given to who asks what was asked then.
///
/// What was asked several times is answered in the order of then; the last answer stays.
final class RecordedAnswers: Sendable {
    /// A request that isn't in the recording, and what is there in its place.
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

    /// Takes exchanges in their order; programs of these names are run in earnest.
    init(_ exchanges: [RecordedExchange], lettingRun programs: Set<String>, hiding secrets: SecretRedactor) {
        self.exchanges = Dictionary(grouping: exchanges, by: \.request.key)
        realPrograms = programs
        self.secrets = secrets
    }

    /// Whether a program is run in earnest.
    func lets(_ program: String) -> Bool { realPrograms.contains(program) }

    /// The answer to a request; nil if it isn't in the recording, which is noted.
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

    /// What a program has written; throws if it has failed, or isn't in the recording.
    func output(of request: RecordedExchange.Request) throws -> Data {
        guard let answer = answer(to: request) else { throw FlowError("this call isn't in the recording") }
        if let failure = answer.failure { throw FlowError(failure.text) }
        return answer.body
    }

    /// What was asked for and isn't in the recording.
    var missing: [Missing] { state.withLock { $0.missing } }

    /// How many answers nobody has asked for.
    var unasked: Int {
        let given = state.withLock { $0.given }
        return exchanges.map { max(0, $0.value.count - (given[$0.key] ?? 0)) }.reduce(0, +)
    }

    /// The requests most like one: first those to the same place, then those whose line differs least.
    private func nearest(to request: RecordedExchange.Request) -> [RecordedExchange.Request] {
        let known = exchanges.keys.filter {
            ($0.method == RecordedExchange.Request.program)
                == (request.method == RecordedExchange.Request.program)
        }
        let ranked = known.map { (Self.likeness($0.line, request.line), $0) }
        return ranked.sorted { ($1.0, $0.1.line) < ($0.0, $1.1.line) }.prefix(Self.mostNearest).map(\.1)
    }

    private static let mostNearest = 3

    /// How many letters at the beginning and at the end are the same.
    private static func likeness(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        let beginning = zip(left, right).prefix { $0 == $1 }.count
        let most = min(left.count, right.count) - beginning
        return beginning + zip(left.reversed(), right.reversed()).prefix(most).prefix { $0 == $1 }.count
    }
}
