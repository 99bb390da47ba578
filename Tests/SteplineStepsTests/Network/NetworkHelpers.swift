import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs one step in a pipeline of its own.
func run(
    _ step: any Step, content: Content = Content(), options: PipelineOptions = .init()
) async throws -> Content {
    let pipeline = Pipeline(content: content, options: options)
    try pipeline.addStep(step)
    return try await pipeline.run()
}

/// The error of a step, as a `RequestError`.
func requestError(
    _ step: any Step, content: Content = Content(), options: PipelineOptions = .init()
) async -> RequestError? {
    do {
        _ = try await run(step, content: content, options: options)
        return nil
    } catch {
        return (error as? PipelineError)?.underlying(as: RequestError.self)
    }
}

/// A request that differs from the default.
func request(_ url: URL, method: String = "GET", headers: [String: String] = [:]) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
}

/// Options that differ from the default.
func options(_ change: (inout LoadOptions) -> Void) -> LoadOptions {
    var options = LoadOptions()
    change(&options)
    return options
}

/// Returns the bytes of the server's `pattern`: 0 to 250, again and again.
func pattern(_ count: Int) -> Data {
    let block = Data((0..<251).map { UInt8($0) })
    var bytes = Data(capacity: count + block.count)
    while bytes.count < count { bytes += block }
    return bytes.prefix(count)
}

/// A body without end that leaves its reader time to breathe: one that never pauses keeps Foundation on Linux from
/// doing anything else, cancelling included.
let endless = LoopbackResponse.pattern(count: nil).fault(.drip(bytes: 20_000, every: .milliseconds(1)))
