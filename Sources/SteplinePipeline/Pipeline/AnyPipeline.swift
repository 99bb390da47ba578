public import SteplineEngine
import SteplineSupport
import Synchronization

/// A pipeline with any output type, for example as an element of an array.
///
/// Every instance is a ``Pipeline``. Through this class a pipeline returns its final content. A ``PipelineObserver``
/// observes the ends of pipelines with different outputs.
///
/// The object owns an engine with a `PipelineMachine`; all methods are callable from any thread. A running pipeline
/// is retained by its own jobs and timers. Its steps reference it weakly, through `link`.
public class AnyPipeline: Identifiable, @unchecked Sendable {  // constants, and an engine with a lock
    /// The name in logs, errors and events; copies have the same name.
    public let name: String

    /// The options of the run.
    public let options: PipelineOptions

    /// The content that the first step receives; changes after the start have no effect.
    package var startingContent: Content {
        get { engine.read { $0.firstBag } }
        set { send { $0.replaceFirstBag(newValue, &$1) } }
    }

    @usableFromInline package let engine: Engine<PipelineMachine>

    let link = PipelineLink()

    /// Whether the start had task-local values to propagate, which the machine then has.
    let hasValues = Atomic(false)

    private let identity: PipelineIdentity

    /// The identity of the pipeline: an arbitrary text, which copies don't share.
    public var id: String { identity.text }

    init(
        _ name: String, id: String?, content: Content, options: PipelineOptions, makesEntry: Bool
    ) {
        self.name = name
        self.options = options
        self.makesEntry = makesEntry
        identity = PipelineIdentity(id)
        engine = Engine(PipelineMachine(identity: identity, options: options, content: content))
        // Before any step gets the link: steps on other threads read the link without a common lock.
        link.point(to: self)
    }

    /// Releases the steps of an unstarted pipeline, because a foreign queue may wait for them.
    ///
    /// An ended pipeline has ended its steps.
    deinit {
        // Only an unstarted pipeline can be freed without an outcome: jobs and timers retain a running one.
        let steps: [any Step] = engine.read { $0.outcome == nil ? $0.line.steps : [] }
        for step in steps { step.leave(link) }
    }

    /// The entry that the final content must contain.
    var expectedOutput: AnyContentKey { ContentKey.content.erased }

    /// Returns the error of a final content; the check may call user code through a cast.
    func fault(in bag: Content) -> PipelineError? { nil }

    /// Whether the final content can lack the pipeline's output.
    final let makesEntry: Bool

    /// Creates an unstarted pipeline with copies of all steps, the same name, options and starting content, and a new
    /// id.
    ///
    /// Copying works in every state. State and results aren't copied.
    ///
    ///     let counts = try await template.copy(content: Content(body: "to be")).run()
    ///
    /// - Parameters:
    ///   - content: The content that the copy's first step receives; nil for that of this pipeline.
    ///   - withCallbacks: Whether the callbacks that are still registered are registered with the copy too.
    /// - Returns: The copy.
    /// - Throws: A ``PipelineError`` `.notCopyable` that names the step.
    public func copy(content: Content? = nil, withCallbacks: Bool = false) throws -> AnyPipeline {
        let copy = Pipeline(name, content: content ?? startingContent, options: options)
        return try fill(copy, withCallbacks: withCallbacks)
    }
}
