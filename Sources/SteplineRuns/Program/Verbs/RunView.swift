import Foundation
import SteplineJSON

/// The JSON form of a run in the output of the verbs.
struct RunView: Encodable {
    let workflow: String
    let key: String
    let state: RunState
    let reason: String?
    let finished: Int
    let failed: Int
    let created: Date
    let ended: Date?
    let openings: Int
    let host: String
    let process: Int
    let since: Date
    var input: JSON?
    var next: String?
    var isPaused: Bool?
    var steps: [StepView]?

    init(_ run: RunRecord) {
        workflow = run.id.workflow
        key = run.id.key
        state = run.state
        if case .cancelled(let why)? = run.ending { reason = why } else { reason = nil }
        finished = run.finished
        failed = run.failed
        created = run.created
        ended = run.ended
        openings = run.openings
        host = run.owner.host
        process = run.owner.process
        since = run.owner.since
    }
}

/// The JSON form of a step or an attempt in the output of the verbs.
struct StepView: Encodable {
    let step: String
    let state: String
    let attempt: Int
    let version: Int
    let began: Date?
    let ended: Date?
    let due: Date?
    let failures: Int
    let interruptions: Int
    let resultSize: Int?
    let worker: String?
    let error: StepFailure?
    /// The reason of a skipped step.
    let reason: String?

    init(_ step: StepRecord, _ words: StepWords) {
        self.step = step.name
        state = words.state
        attempt = step.attempt
        version = step.version
        began = step.began
        ended = step.ended
        due = step.due
        failures = step.failures
        interruptions = step.interruptions
        resultSize = step.resultSize
        worker = step.worker
        error = step.failure
        reason = words.state == "skipped" ? words.note : nil
    }
}
