import Foundation
public import SteplineManager
import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request in a ``URLTaskManager``; each attempt is a new transfer.
public struct URLTask: CallbackTask {
    /// The result of a request.
    public typealias Success = URLReply

    /// The request; interceptors may change it.
    public var request: URLRequest
    /// The options of the load; those for reuse and sharing of responses fail the request.
    public var load: LoadOptions

    let loading: URLTaskLoading
    let transport: any Transport
    let clock: any StepClock
    let redaction: Redaction
    let reporter: URLTaskReporter
    /// The versions of the applied credentials, by authenticator.
    var credentials: [ObjectIdentifier: Int] = [:]
    /// The headers that must not follow a redirect to another origin.
    var boundHeaders: Set<String> = []

    /// The method and the URL, with `<redacted>` in place of secrets.
    public var name: String { redaction.line(request) }

    /// Sends the request, as a transfer of its own.
    ///
    /// A connection error is reported as its `URLError`. A failed status and any other failure, such as an exceeded
    /// limit of the load, is a ``RequestError``.
    public func execute(_ done: TaskCompletion<URLReply>) {
        let began = clock.uptime
        let attempt = TaskManager.current?.attempt ?? 1
        reporter.began(self, attempt: attempt, at: clock.now)
        do {
            try load.refuseReuse(of: request, by: "a manager")
            var plan = try TransferPlan(request, load)
            plan.boundHeaders = boundHeaders
            // The monitors see each exchange of the transfer, including redirects.
            let reporting = ReportingTransport(transport: transport, reporter: reporter)
            let transfer = try loading.begin(&plan, reporting, clock, reporter.report) { end in
                let took = clock.uptime - began
                var end = end.mapError { redacted(Self.shown($0)) }
                if case .success(var reply) = end {
                    reply.metrics = reporter.ended(after: took)
                    end = .success(reply)
                } else {
                    reporter.ended(after: took)
                }
                done(end)
            }
            // A cancelled transfer reports no end, so the attempt ends here.
            done.onCancel {
                transfer.cancel()
                done(throwing: CancellationError())
            }
        } catch {
            done(throwing: redacted(error))
        }
    }

    private static func shown(_ error: any Error) -> any Error {
        if let refused = error as? RefusedStatus { return refused.error }
        let cause = (error as? RequestError)?.underlying
        return cause as? URLError ?? cause as? TaskManagerError ?? error
    }

    private func redacted(_ error: any Error) -> any Error {
        (error as? URLError).map(redaction.redacted) ?? error
    }
}

extension URLTask: CustomStringConvertible, CustomReflectable {
    /// The method, the URL and the headers, with `<redacted>` in place of secrets, without the body.
    public var description: String {
        let headers = request.allHTTPHeaderFields ?? [:]
        return name + (headers.isEmpty ? "" : " [\(redaction.text(headers))]")
    }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
