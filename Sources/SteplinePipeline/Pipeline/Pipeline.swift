/// A line of steps that pass content along, and the output of the last one.
///
///     let load = Pipeline {
///         FileLoadStep(file)
///         JSONDecodeStep<City>()
///     }
///     let city = try await load.run()
///
/// Steps run strictly one after the other, on an unspecified thread unless a step names a queue. A pipeline runs once;
/// ``copy(content:withCallbacks:)`` creates another. All methods are callable from any thread, including from steps and
/// callbacks. A running pipeline retains itself.
///
/// The steps determine the output type: the output of `load` is a `City`. A pipeline built at run time is a
/// `Pipeline<Content>` and returns its final content. ``AnyPipeline`` contains the members that all pipelines share.
public final class Pipeline<Output: Sendable>: AnyPipeline, @unchecked Sendable {  // as AnyPipeline
    /// The key of the pipeline's output in the final content.
    let outputKey: ContentKey<Output>

    init(
        _ name: String, id: String?, content: Content, options: PipelineOptions, output: ContentKey<Output>
    ) {
        outputKey = output
        // Only an entry can be missing at the end: `content` always exists, and `nothing` has no value.
        super.init(name, id: id, content: content, options: options, makesEntry: output.isOfEntry)
    }

    override var expectedOutput: AnyContentKey { outputKey.erased }

    override func fault(in bag: Content) -> PipelineError? {
        do {
            _ = try bag.value(for: outputKey)
            return nil
        } catch {
            return .lacksOutput(outputKey.erased, as: error, pipeline: name)
        }
    }

    /// Creates an unstarted pipeline with copies of all steps; see ``AnyPipeline/copy(content:withCallbacks:)``.
    ///
    /// - Throws: A ``PipelineError`` `.notCopyable` that names the step.
    public override func copy(content: Content? = nil, withCallbacks: Bool = false) throws -> Pipeline {
        let copy = Pipeline(
            name, id: nil, content: content ?? startingContent, options: options, output: outputKey)
        return try fill(copy, withCallbacks: withCallbacks)
    }
}

extension Pipeline where Output == Content {
    /// Creates a pipeline without steps, which are added later.
    ///
    /// - Parameters:
    ///   - name: The name in logs, errors and events.
    ///   - id: The identity; nil for a text that is unique in this process.
    ///   - content: The content that the first step receives.
    ///   - options: The options of the run.
    public convenience init(
        _ name: String = "pipeline", id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init()
    ) {
        self.init(name, id: id, content: content, options: options, output: .content)
    }

    /// Creates a pipeline from a list of steps, for example a list that was built at run time.
    ///
    /// The steps use their keys, which are checked before the run. A step that can't be added becomes an error of the
    /// check.
    ///
    /// - Parameters:
    ///   - name: The name in logs, errors and events.
    ///   - steps: The steps in order.
    ///   - id: The identity; nil for a text that is unique in this process.
    ///   - content: The content that the first step receives.
    ///   - options: The options of the run.
    public convenience init(
        _ name: String = "pipeline", steps: [any Step], id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init()
    ) {
        self.init(name, id: id, content: content, options: options, output: .content)
        take(steps)
    }
}
