import Foundation
import SteplineManager
import SteplinePipeline
import SteplineRequests
import SteplineSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension NetworkLoad {
    /// Loads the request through a manager; stopping the attempt ends the handle, and ending the handle fails the
    /// attempt.
    func run(
        _ given: URLRequest?, through manager: URLTaskManager, in context: StepContext, _ bag: Content
    ) {
        do {
            guard let request = given ?? request else { throw URLError(.badURL) }
            var load = options
            load.body = try load.body.taken(from: bag)
            let handle = manager.add(request, load: load) { outcome in
                var bag = bag
                switch outcome {
                case .success(let reply):
                    bag.bodyData = reply.data
                    bag[.urlResponse] = reply.response
                    context.finish(with: bag)
                case .failure(let refused as RequestError) where refused.code == .status:
                    bag.bodyData = refused.body
                    bag[.urlResponse] = refused.response
                    context.finish(throwing: refused, leaving: bag)
                case .failure(let error):
                    context.finish(throwing: error)
                case .cancelled(let reason):
                    context.finish(throwing: TaskManagerError.cancelled(reason))
                }
            }
            context.onCancel {
                handle.cancel("its step was stopped")
                context.finish(throwing: CancellationError())
            }
        } catch {
            context.finish(throwing: error)
        }
    }
}
