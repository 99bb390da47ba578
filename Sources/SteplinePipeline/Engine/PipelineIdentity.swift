import Synchronization

/// The id of a pipeline: a given text, or a number that becomes text on demand.
enum PipelineIdentity: Sendable {
    indirect case given(String)
    case numbered(Int)

    private static let count = Atomic(0)

    init(_ text: String?) {
        // Relaxed: numbers must differ, but needn't follow the order of creation.
        self = text.map { .given($0) } ?? .numbered(Self.count.add(1, ordering: .relaxed).newValue)
    }

    var text: String {
        switch self {
        case .given(let text): text
        case .numbered(let number): "pipeline-\(number)"
        }
    }
}
