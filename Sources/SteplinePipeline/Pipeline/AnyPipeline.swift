public import SteplineEngine
import SteplineSupport

/// A pipeline whatever it makes: what all of them can do, and what an array of unlike ones holds.
///
/// Every one is a ``Pipeline`` of some output. Seen as this it gives its last bag; a ``PipelineObserver`` calls back at
/// the ends of unlike ones.
public class AnyPipeline: Identifiable, @unchecked Sendable {  // constants; the engine has a lock
    /// The name for people; copies have it too.
    public let name: String

    /// How the steps are run.
    public let options: PipelineOptions

    /// What the first step gets; may be changed until the start, after which that has no effect.
    package var startingContent: Content {
        get { engine.read { $0.firstBag } }
        set { send { $0.replaceFirstBag(newValue, &$1) } }
    }

    @usableFromInline package let engine: Engine<PipelineMachine>

    let link = PipelineLink()

    private let identity: PipelineIdentity

    /// Any text that tells this pipeline from others; never interpreted, never copied.
    public var id: String { identity.text }

    init(
        _ name: String, id: String?, content: Content, options: PipelineOptions, makesEntry: Bool
    ) {
        self.name = name
        self.options = options
        self.makesEntry = makesEntry
        identity = PipelineIdentity(id)
        engine = Engine(PipelineMachine(identity: identity, options: options, content: content))
        link.point(to: self)
    }

    /// A queue may wait for steps of a pipeline that goes away unstarted; those of one that has ended have ended, too.
    deinit {
        let steps: [any Step] = engine.read { $0.outcome == nil ? $0.line.steps : [] }
        for step in steps { step.leave(link) }
    }

    /// The entry that the last bag must hold.
    var wantedOutput: AnyContentKey { ContentKey.content.erased }

    /// What is wrong with a last bag; may run a user's code, by a cast.
    func fault(in bag: Content) -> PipelineError? { nil }

    /// Whether a bag can lack what the pipeline is to make.
    final let makesEntry: Bool

    /// Makes an unstarted pipeline with copies of all steps, the same name, options and first bag, and a new id.
    ///
    /// Works in whatever state this one is, and copies neither state nor results. With `withCallbacks` the
    /// callbacks still registered are registered with the copy too. Throws a ``PipelineError`` `.notCopyable`
    /// that names the step.
    public func copy(withCallbacks: Bool = false) throws -> AnyPipeline {
        try fill(Pipeline(name, content: startingContent, options: options), withCallbacks: withCallbacks)
    }
}
