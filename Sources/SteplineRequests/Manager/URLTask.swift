import Foundation
public import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One request on its way through a ``URLTaskManager``; each attempt is a new transfer of it.
public struct URLTask: CallbackTask {
    /// What it makes.
    public typealias Success = URLReply

    /// What is sent; interceptors may change it.
    public var request: URLRequest
    /// How it is loaded.
    public var load: LoadOptions

    let transport: any Transport
    let clock: any StepClock

    /// The method and the URL, without user, password and query.
    public var name: String {
        "\(request.httpMethod ?? "GET") \(request.url.map(\.withoutSecrets) ?? "no URL")"
    }

    /// Sends the request; a connection error is told as the `URLError` itself, a refused status as ``RequestError``.
    public func execute(_ done: TaskCompletion<URLReply>) {
        do {
            let plan = try TransferPlan(request, load)
            let transfer = Transfer(
                plan, to: MemorySink(), over: transport, clock: clock, report: { _ in }
            ) { end in
                done(end.map(URLReply.init).mapError(Self.told))
            }
            // A cancelled transfer tells nothing, so the attempt's end is told here.
            done.onCancel {
                transfer.cancel()
                done(throwing: CancellationError())
            }
            transfer.start()
        } catch {
            done(throwing: error)
        }
    }

    private static func told(_ error: any Error) -> any Error {
        if let refused = error as? RefusedStatus { return refused.error }
        return (error as? RequestError)?.underlying as? URLError ?? error
    }
}
