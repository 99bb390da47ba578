public import SteplineEngine
import SteplineSupport
import Synchronization

/// A line of steps that pass one bag of content along.
///
///     let city = try await Pipeline.run {
///         FileLoadStep(file)
///         BlockStep { (data: Data) in try JSONDecoder().decode(City.self, from: data) }
///     }
///
/// Steps run strictly one after the other, on no thread in particular unless they name a queue. A pipeline
/// runs once; ``copy(withObservers:)`` makes another. Everything may be called from any thread, also from
/// inside steps and callbacks. A running pipeline keeps itself alive.
public final class Pipeline: Sendable, Identifiable {
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

    /// Makes a pipeline without steps.
    ///
    /// Without an `id` it gets one that no other pipeline of this process has.
    public init(
        _ name: String = "pipeline", id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init()
    ) {
        self.name = name
        self.options = options
        identity = PipelineIdentity(id)
        engine = Engine(PipelineMachine(identity: identity, options: options, content: content))
        link.point(to: self)
    }
}

/// A pipeline's id: a given text, or a number that is written out only when somebody asks.
enum PipelineIdentity: Sendable {
    indirect case given(String)
    case numbered(Int)

    private static let count = Atomic(0)

    init(_ text: String?) {
        self = text.map { .given($0) } ?? .numbered(Self.count.add(1, ordering: .relaxed).newValue)
    }

    var text: String {
        switch self {
        case .given(let text): text
        case .numbered(let number): "pipeline-\(number)"
        }
    }
}

extension Pipeline: CustomStringConvertible {
    /// Name, id, number of steps and state.
    public var description: String {
        let (count, state) = engine.read { ($0.line.steps.count, $0.state) }
        return "Pipeline \"\(name)\" (id \(id), \(count) step\(count == 1 ? "" : "s"), \(state))"
    }
}
