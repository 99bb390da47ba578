public import Dispatch
public import SteplineManager
public import SteplineSupport

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// An observer of a ``URLTaskManager``'s requests: for logs, tests and tools.
///
/// All methods have an empty default. They are called one at a time, in the order of the events, on the monitor's
/// queue.
public protocol URLTaskMonitor: Sendable {
    /// The serial queue of the calls; by default one that all monitors share.
    var queue: DispatchQueue { get }

    /// All interceptors have accepted the request, which is now in its final form.
    func adapted(_ request: URLRequest, of handle: AnyTaskHandle)

    /// An attempt began.
    func began(_ request: URLRequest, attempt: Int, of handle: AnyTaskHandle)

    /// A response arrived, before its body.
    func response(_ response: URLResponse, of handle: AnyTaskHandle)

    /// A redirect is followed.
    func redirected(to request: URLRequest, by response: URLResponse, of handle: AnyTaskHandle)

    /// The request has ended.
    func finished(
        _ outcome: Outcome<URLReply>, metrics: URLTaskMetrics, of handle: AnyTaskHandle)

    /// The request is repeated; the attempt is counted from 1.
    func retried(attempt: Int, of handle: AnyTaskHandle)

    /// A ``URLAuthenticator`` has refreshed its credential.
    func refreshed(by authenticator: String)
}

/// The queue of monitors without their own queue.
private let monitors = DispatchQueue(label: "stepline.monitors")

extension URLTaskMonitor {
    /// The queue that all monitors share.
    public var queue: DispatchQueue { monitors }

    /// Does nothing.
    public func adapted(_ request: URLRequest, of handle: AnyTaskHandle) {}

    /// Does nothing.
    public func began(_ request: URLRequest, attempt: Int, of handle: AnyTaskHandle) {}

    /// Does nothing.
    public func response(_ response: URLResponse, of handle: AnyTaskHandle) {}

    /// Does nothing.
    public func redirected(to request: URLRequest, by response: URLResponse, of handle: AnyTaskHandle) {}

    /// Does nothing.
    public func finished(
        _ outcome: Outcome<URLReply>, metrics: URLTaskMetrics, of handle: AnyTaskHandle
    ) {}

    /// Does nothing.
    public func retried(attempt: Int, of handle: AnyTaskHandle) {}

    /// Does nothing.
    public func refreshed(by authenticator: String) {}
}
