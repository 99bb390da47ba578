public import SteplinePipeline
import SteplineSupport
public import SteplineWorkflow

public import struct Foundation.Data
public import struct Foundation.URL

/// A task of a workflow that runs a pipeline, made anew for each attempt.
///
///     let feed = PipelineTask(name: "feed") { Pipeline { FileLoadStep(file); parse } }
///     try workflow.add(feed, keyedPrerequisites: ["url": pick])
///
/// The result of a prerequisite with a string key is in the pipeline's first bag under that key. A single
/// prerequisite without a key gives its `Content` as the first bag, its `Data` as `bodyData`, any other value as
/// `bodyObject`; several only order. The result is what the pipeline makes, or an entry of its last bag. Stopping the
/// task cancels the pipeline.
public final class PipelineTask: WorkflowTask, @unchecked Sendable {  // what changes is locked
    private let make: @Sendable () throws -> MadePipeline
    private let prepare: (@Sendable (inout Content) throws -> Void)?
    private let keys: Set<PrerequisiteKey>
    private let output: any Sendable.Type
    private let progress = Locked(PipelineStepProgress(done: 0, count: 0, current: nil))

    private init(
        _ name: String?, _ keys: Set<PrerequisiteKey>, _ options: TaskOptions, output: any Sendable.Type,
        prepare: (@Sendable (inout Content) throws -> Void)?,
        make: @escaping @Sendable () throws -> MadePipeline
    ) {
        self.make = make
        self.prepare = prepare
        self.keys = keys
        self.output = output
        super.init(name: name, options: options)
    }

    /// Makes a task whose result is what the pipeline makes.
    ///
    /// The closure is called as each attempt begins, when the results of prerequisites are there, and must give a pipeline
    /// that was not started. A check calls it for a pipeline of its own. `prepare` may change the first bag.
    public convenience init<Output: Sendable>(
        name: String? = nil, requiredPrerequisiteKeys keys: Set<PrerequisiteKey> = [],
        options: TaskOptions = .init(), prepare: (@Sendable (inout Content) throws -> Void)? = nil,
        pipeline: @escaping @Sendable () throws -> Pipeline<Output>
    ) {
        self.init(name, keys, options, output: Output.self, prepare: prepare) {
            let made = try pipeline()
            return MadePipeline(pipeline: made) { try await made.run() }
        }
    }

    /// Makes a task whose result is an entry of the pipeline's last bag.
    public convenience init<Value: Sendable>(
        name: String? = nil, output: ContentKey<Value>,
        requiredPrerequisiteKeys keys: Set<PrerequisiteKey> = [], options: TaskOptions = .init(),
        prepare: (@Sendable (inout Content) throws -> Void)? = nil,
        pipeline: @escaping @Sendable () throws -> AnyPipeline
    ) {
        self.init(name, keys, options, output: Value.self, prepare: prepare) {
            let made = try pipeline()
            return MadePipeline(pipeline: made) { try await made.run(returning: output) }
        }
    }

    /// The type of what the pipeline makes, or of the entry that is read from the last bag.
    public override var resultType: (any Sendable.Type)? { output }

    /// The files of its options, and those that the steps of its pipeline say they make.
    ///
    /// Without the latter while the closure reads results of prerequisites that aren't there yet.
    public override var produces: [URL] {
        let steps = (try? makeSample())?.steps ?? []
        return super.produces + steps.flatMap(\.produces)
    }

    /// The keys given when it was made.
    public override var requiredPrerequisiteKeys: Set<PrerequisiteKey> { keys }

    /// How far the pipeline of the last attempt is.
    public var stepProgress: PipelineStepProgress { progress.withLock { $0 } }

    /// Runs a fresh pipeline and returns what it makes, or the entry wanted.
    public override func run() async throws -> (any Sendable)? {
        let attempt = currentAttempt
        let made = try make()
        let pipeline = made.pipeline
        guard case .ready = pipeline.state else {
            throw WorkflowError(pipelineNotFreshFor: name)
        }
        var content = firstContent(beginningWith: pipeline.startingContent)
        try prepare?(&content)
        pipeline.startingContent = content
        let count = pipeline.steps.count
        progress.withLock { $0 = PipelineStepProgress(done: 0, count: count, current: nil) }
        let events = pipeline.events
        let watcher = Task {
            for await event in events { note(event, attempt) }
        }
        // The stream ends with the pipeline, so that nothing of it is told after the task has ended.
        do {
            let result = try await made.run()
            await watcher.value
            return result
        } catch {
            if pipeline.isFinished { await watcher.value } else { watcher.cancel() }
            throw error
        }
    }

    private func note(_ event: PipelineEvent, _ attempt: TaskAttempt) {
        switch event.kind {
        case .stepStarted(let step, _):
            progress.withLock { $0.current = step.name }
        case .stepEnded(let step, _, .succeeded, _):
            progress.withLock { progress in
                progress.done += 1
                progress.current = nil
            }
            attempt.report(step: step.name)
        default: break
        }
    }

    private func firstContent(beginningWith given: Content) -> Content {
        var content = given
        let unkeyed = allUnkeyedPrerequisiteResults
        if unkeyed.count == 1, let value = unkeyed[0] {
            switch value {
            case let bag as Content: content = bag
            case is Void: break
            case let data as Data: content.bodyData = data
            default: content.bodyObject = value
            }
        }
        for (key, result) in keyedPrerequisiteResults {
            if let name = key.string, let result { content[name] = result }
        }
        return content
    }

    /// Makes a pipeline to look at; nil if the closure has read a result that isn't there.
    private func makeSample() throws -> AnyPipeline? {
        try MissingResults.unlessRead { try make().pipeline }
    }

    /// What the check of the pipeline finds, apart from what prerequisites bring.
    public override func findIssues() -> [CheckIssue] {
        do {
            guard let pipeline = try makeSample() else {
                let text = "its pipeline can't be checked before the prerequisites that it reads are Finished"
                return [CheckIssue(.content, .warning, text)]
            }
            var given = Set(keyedPrerequisites.keys.compactMap(\.string))
            if unkeyedPrerequisites.count == 1 { given.formUnion(["bodyData", "bodyObject"]) }
            return pipeline.check().filter { issue in
                // What `prepare` puts in shows only when it runs.
                guard issue.code == .missingInput, let key = issue.key else { return true }
                return prepare == nil && !given.contains(key)
            }
        } catch {
            return [CheckIssue(.content, .warning, "its pipeline can't be made: \(ErrorText.line(error))")]
        }
    }
}

/// How far the pipeline of a task is.
public struct PipelineStepProgress: Sendable, Hashable {
    /// How many steps have ended.
    public internal(set) var done: Int
    /// How many there are.
    public let count: Int
    /// The name of the step that runs.
    public internal(set) var current: String?
}

/// A pipeline that wasn't started, and how to run it to the task's result.
private struct MadePipeline: Sendable {
    let pipeline: AnyPipeline
    let run: @Sendable () async throws -> any Sendable
}
