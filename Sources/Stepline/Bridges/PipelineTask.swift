public import SteplinePipeline
import SteplineSupport
public import SteplineWorkflow

public import struct Foundation.Data
public import struct Foundation.URL

/// A workflow's task that runs a new pipeline in each attempt.
///
///     let feed = PipelineTask(name: "feed") { Pipeline { FileLoadStep(file); parse } }
///     try workflow.add(feed, keyedPrerequisites: ["url": pick])
///
/// The result of a prerequisite with a string key becomes the content entry with this key. A single prerequisite
/// without a key provides its `Content` as the starting content, its `Data` as `bodyData`, or any other value as
/// `bodyObject`. Several prerequisites without keys only define the order.
///
/// The result is the pipeline's output, or an entry of its final content. Stopping the task cancels the pipeline.
public final class PipelineTask: WorkflowTask, @unchecked Sendable {  // a lock protects the changing state
    private let make: @Sendable () throws -> MadePipeline
    private let prepare: (@Sendable (inout Content) throws -> Void)?
    private let keys: Set<PrerequisiteKey>
    private let output: any Sendable.Type
    private let progress = Locked(PipelineStepProgress(done: 0, count: 0, current: nil, fraction: 0))

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

    /// Creates a task whose result is the pipeline's output.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - keys: The required prerequisite keys.
    ///   - options: The options of the task.
    ///   - prepare: Changes the starting content; nil for no change.
    ///   - pipeline: Returns an unstarted pipeline. It is called at the begin of each attempt, when the prerequisites'
    ///     results are available, and by each check.
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

    /// Creates a task whose result is an entry of the pipeline's final content.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the default.
    ///   - output: The key of the entry.
    ///   - keys: The required prerequisite keys.
    ///   - options: The options of the task.
    ///   - prepare: Changes the starting content; nil for no change.
    ///   - pipeline: Returns an unstarted pipeline; see the variant without `output`.
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

    /// The type of the pipeline's output, or of the entry in its final content.
    public override var resultType: (any Sendable.Type)? { output }

    /// The files in the options, and the files that the pipeline's steps declare.
    ///
    /// The steps' files are missing while `pipeline` reads results of prerequisites that haven't run.
    public override var produces: [URL] {
        let steps = (try? makeSample())?.steps ?? []
        return super.produces + steps.flatMap(\.produces)
    }

    /// The keys given at creation.
    public override var requiredPrerequisiteKeys: Set<PrerequisiteKey> { keys }

    /// The progress of the latest attempt's pipeline.
    public var stepProgress: PipelineStepProgress { progress.withLock { $0 } }

    /// Runs a new pipeline and returns its output or the requested entry.
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
        progress.withLock { $0 = pipeline.stepProgress }
        // Subscribe before the start, so no event is missed.
        let events = pipeline.events
        let watcher = Task {
            for await event in events { note(event, of: pipeline, attempt) }
        }
        // The stream finishes with the pipeline; waiting for it ensures that no event is reported after the task's end.
        do {
            let result = try await made.run()
            await watcher.value
            return result
        } catch {
            // A pipeline that didn't start never finishes its stream.
            if pipeline.isFinished { await watcher.value } else { watcher.cancel() }
            throw error
        }
    }

    private func note(_ event: PipelineEvent, of pipeline: AnyPipeline, _ attempt: TaskAttempt) {
        let now = pipeline.stepProgress
        progress.withLock { $0 = now }
        if case .stepEnded(let step, _, .succeeded, _) = event.kind { attempt.report(step: step.name) }
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

    /// Creates a pipeline for inspection; nil if `pipeline` has read a missing result.
    private func makeSample() throws -> AnyPipeline? {
        try MissingResults.unlessRead { try make().pipeline }
    }

    /// Returns the issues of the pipeline, except for entries that prerequisites provide.
    public override func findIssues() -> [CheckIssue] {
        do {
            guard let pipeline = try makeSample() else {
                let text = "its pipeline can't be checked before the prerequisites that it reads are Finished"
                return [CheckIssue(.content, .warning, text)]
            }
            var given = Set(keyedPrerequisites.keys.compactMap(\.string))
            if unkeyedPrerequisites.count == 1 { given.formUnion(["bodyData", "bodyObject"]) }
            return pipeline.check().filter { issue in
                // The entries that `prepare` adds are known only during the run.
                guard issue.code == .missingInput, let key = issue.key else { return true }
                return prepare == nil && !given.contains(key)
            }
        } catch {
            return [CheckIssue(.content, .warning, "its pipeline can't be made: \(ErrorText.line(error))")]
        }
    }
}

/// An unstarted pipeline with the function that runs it.
private struct MadePipeline: Sendable {
    let pipeline: AnyPipeline
    let run: @Sendable () async throws -> any Sendable
}
