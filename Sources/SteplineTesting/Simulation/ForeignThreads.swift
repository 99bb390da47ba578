import CTaskHook
import Foundation

/// The threads that don't belong to a simulation.
enum ForeignThreads {
    /// The name of this thread, which doesn't belong to a run.
    static var nameOfThis: String {
        if Thread.isMainThread { return "the main thread" }
        let queue = ctaskhook_queue_label().map { String(cString: $0) } ?? ""
        // The labels of system queues aren't helpful.
        if !queue.isEmpty, !queue.hasPrefix("com.apple.root"), !queue.hasPrefix("Swift global") {
            return "the queue ‘\(queue)’"
        }
        guard let name = Thread.current.name, !name.isEmpty else { return "another thread" }
        return "the thread ‘\(name)’"
    }
}
