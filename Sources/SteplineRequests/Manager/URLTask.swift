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

    let loading: URLTaskLoading
    let transport: any Transport
    let clock: any StepClock
    let redaction: Redaction
    let story: URLTaskStory
    /// Which credentials it carries, by who applied them.
    var credentials: [ObjectIdentifier: Int] = [:]
    /// The headers that must not follow a redirect to another origin.
    var boundHeaders: Set<String> = []

    /// The method and the URL, with `<redacted>` for what is secret.
    public var name: String { redaction.line(request) }

    /// Sends the request; a connection error is told as the `URLError` itself, a refused status as ``RequestError``.
    public func execute(_ done: TaskCompletion<URLReply>) {
        let began = clock.uptime
        let attempt = TaskManager.current?.attempt ?? 1
        story.began(self, attempt: attempt, at: clock.now)
        do {
            var plan = try TransferPlan(request, load)
            plan.boundHeaders = boundHeaders
            let told = ToldTransport(transport: transport, story: story)
            let transfer = try loading.begin(&plan, told, clock, story.report) { end in
                let took = clock.uptime - began
                var end = end.mapError { redacted(Self.told($0)) }
                if case .success(var reply) = end {
                    reply.metrics = story.ended(after: took)
                    end = .success(reply)
                } else {
                    story.ended(after: took)
                }
                done(end)
            }
            // A cancelled transfer tells nothing, so the attempt's end is told here.
            done.onCancel {
                transfer.cancel()
                done(throwing: CancellationError())
            }
        } catch {
            done(throwing: redacted(error))
        }
    }

    private static func told(_ error: any Error) -> any Error {
        if let refused = error as? RefusedStatus { return refused.error }
        let cause = (error as? RequestError)?.underlying
        return cause as? URLError ?? cause as? TaskManagerError ?? error
    }

    private func redacted(_ error: any Error) -> any Error {
        (error as? URLError).map(redaction.redacted) ?? error
    }
}

extension URLTask: CustomStringConvertible, CustomReflectable {
    /// The method, the URL and the headers, with `<redacted>` for what is secret; never the body.
    public var description: String {
        let headers = request.allHTTPHeaderFields ?? [:]
        return name + (headers.isEmpty ? "" : " [\(redaction.text(headers))]")
    }

    /// Nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
