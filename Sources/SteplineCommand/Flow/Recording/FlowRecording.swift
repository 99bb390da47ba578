import Foundation
import SteplineJSON
import SteplineRequests
import SteplineSupport

/// The recording of a run: `--record FOLDER`.
struct FlowRecording: Sendable {
    private let place: FlowCasePlace
    private let option: String
    private let parameters: [(name: String, value: String)]
    private let date = FlowFunction.written(Date())

    /// Creates the recording; nil if none was requested; throws if the folder isn't a test case.
    init?(_ arguments: Arguments, _ session: Session) throws(UsageError) {
        guard let folder = arguments[.record] else { return nil }
        option = "--record \(folder)"
        place = FlowCasePlace(session.place(folder))
        parameters = arguments.all(.set).map { text in
            let halves = text.halves(at: "=")
            return (name: halves?.before ?? text, value: halves?.after ?? "")
        }
        if arguments[.store] != nil { throw UsageError("--record stores no run: leave out --store") }
        let isWhole = arguments.operands.count == 1 && arguments.all(.fromTask).isEmpty
        guard isWhole, !arguments.isOn(.only) else {
            throw UsageError("with --record all tasks are run: leave out TASK, --from and --only")
        }
        try place.checkForRecording(option, mayOverwrite: arguments.isOn(.force))
    }

    /// Prepares a plan for recording and returns the recorder; call after secrets were read.
    func begin(_ plan: inout FlowPlan) -> FlowRecorder {
        let recorder = FlowRecorder(hiding: plan.setting.secrets.redactor)
        plan.setting.recorder = recorder
        plan.runInOrderIfGrowing()
        plan.setting.now = JSON(date)
        // A cached response would not reach the recording transport.
        plan.setting.connections.cache = nil
        plan.setting.connections.transport = RecordingTransport(over: NetworkTransport.standard, recorder)
        return recorder
    }

    /// Writes the recording after the run, unless the run was interrupted.
    func end(
        _ recorder: FlowRecorder, _ folder: FlowFolder, after code: ExitCode, _ teller: RunTeller
    ) throws -> ExitCode {
        guard code == .success || code == .failure else {
            teller.warn("nothing is recorded, as the run was interrupted")
            return code
        }
        var recording = Recording()
        recording.parameters = parameters
        recording.date = date
        recording.exchanges = recorder.exchanges
        do {
            try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
            try recording.write(to: place.answers, hiding: recorder.secrets)
            for file in recorder.inputs {
                guard let path = folder.inside(file) else { continue }
                try copy(file, to: place.inputs.appending(path: path), recorder)
            }
        } catch {
            throw FlowError("\(option): \(ErrorText.line(error))")
        }
        for request in recorder.tooLarge {
            teller.tell(
                "the answer to \(request) has more than \(FlowRecorder.mostBytes >> 20) MiB and isn't recorded"
            )
        }
        for (name, _) in parameters where Redaction.standard.hides(name) {
            teller.warn("the value of \(name) is in the recording: if it is secret, declare it in secrets")
        }
        return recorder.tooLarge.isEmpty ? code : .failure
    }

    /// Copies a file with its secrets removed.
    private func copy(_ file: URL, to place: URL, _ recorder: FlowRecorder) throws {
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        let bytes = try Data(contentsOf: file)
        try (recorder.secrets.redacted(Array(bytes)).map { Data($0) } ?? bytes).write(to: place)
    }
}

extension Option<String> {
    static let record = Option(
        text: "record", value: "FOLDER", completion: .folder,
        "record network and program answers in this folder, as a case for test")
}
