import Foundation
import SteplineRequests

extension Connections {
    /// Creates the settings of a workflow file; throws for a path outside its folder.
    init(_ network: FlowNetwork, _ folder: FlowFolder, environment: [String: String]) throws {
        self.init()
        switch network.cookies {
        case .ofRun: cookies = .memory()
        case .file(let file): cookies = .file(try folder.resolveForWriting(file.path))
        case nil: break
        }
        cache = try network.cache.map { .folder(try folder.resolveForWriting($0.path)) }
        perHost = HostLimits(connections: network.connections, requestsPerSecond: network.rate)
        tls = TLSOptions(
            authorities: try network.authorities.map { try folder.resolve($0.path) },
            minimumVersion: network.minimumVersion)
        if let file = network.certificate {
            show(
                try folder.resolve(file.path), key: try network.key.map { try folder.resolve($0.path) },
                environment)
        }
    }
}
