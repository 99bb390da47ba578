/// A line of steps that pass one bag of content along, and what the last one makes.
///
///     let load = Pipeline {
///         FileLoadStep(file)
///         JSONDecodeStep<City>()
///     }
///     let city = try await load.run()
///
/// Steps run strictly one after the other, on no thread in particular unless they name a queue. A pipeline
/// runs once; ``copy(withCallbacks:)`` makes another. Everything may be called from any thread, also from
/// inside steps and callbacks. A running pipeline keeps itself alive.
///
/// What it makes is known from its steps: that of `load` is a `City`. One that is put together at run time is a
/// `Pipeline<Content>`, and gives its last bag. What all of them have is in ``AnyPipeline``.
public final class Pipeline<Output: Sendable>: AnyPipeline, @unchecked Sendable {  // as AnyPipeline
    /// Where the last bag holds what the pipeline makes.
    let outputKey: ContentKey<Output>

    init(
        _ name: String, id: String?, content: Content, options: PipelineOptions, output: ContentKey<Output>
    ) {
        outputKey = output
        super.init(name, id: id, content: content, options: options, makesEntry: output.isOfEntry)
    }

    override var wantedOutput: AnyContentKey { outputKey.erased }

    override func fault(in bag: Content) -> PipelineError? {
        do {
            _ = try bag.value(for: outputKey)
            return nil
        } catch {
            return .lacksOutput(outputKey.erased, as: error, pipeline: name)
        }
    }

    /// Makes an unstarted pipeline with copies of all steps, as that of ``AnyPipeline`` does.
    public override func copy(withCallbacks: Bool = false) throws -> Pipeline {
        let copy = Pipeline(name, id: nil, content: startingContent, options: options, output: outputKey)
        return try fill(copy, withCallbacks: withCallbacks)
    }
}

extension Pipeline where Output == Content {
    /// Makes a pipeline without steps, which are added later.
    ///
    /// Without an `id` it gets one that no other pipeline of this process has.
    public convenience init(
        _ name: String = "pipeline", id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init()
    ) {
        self.init(name, id: id, content: content, options: options, output: .content)
    }

    /// Makes a pipeline from a list of steps, such as one that is put together at run time.
    ///
    /// The steps go by their keys, which are checked before the run. A step that can't be added, as it was used before,
    /// makes the pipeline fail its check.
    public convenience init(
        _ name: String = "pipeline", steps: [any Step], id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init()
    ) {
        self.init(name, id: id, content: content, options: options, output: .content)
        take(steps)
    }
}
