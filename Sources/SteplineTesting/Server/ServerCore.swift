import Foundation
import SteplineSupport

/// The running part of a loopback server, which its threads retain, so the server object can be released.
///
/// Each connection has a thread that reads, handles and answers its requests. `stop` shuts the sockets down, which ends
/// the threads' reads; each thread closes its own socket.
final class ServerCore: Sendable {
    typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

    private struct Route {
        /// The place in the order of adding: of several routes for a request the last one answers.
        let number: Int
        /// Nil for all methods.
        let method: String?
        let handler: Handler

        func takes(_ request: LoopbackRequest) -> Bool { method == nil || method == request.method }
    }

    private struct State {
        /// The routes for one path each, by path.
        var routes: [String: [Route]] = [:]
        /// The routes for all paths that begin with theirs.
        var prefixRoutes: [(path: String, route: Route)] = []
        var lastRoute = 0
        var open: [Int: ServerSocket] = [:]
        var ends: [Int: OneShot<Void>] = [:]
        var lastConnection = 0
        var hasEnded = false
    }

    let port: Int
    let requests = Recorder<LoopbackRequest>()
    let opened = Recorder<Int>()
    let closed = Recorder<Int>()
    let stopped = OneShot<Void>()

    private let listener: ServerSocket
    private let bodyLimit: Int
    private let state = Locked(State())
    private let threads = DispatchGroup()

    init(bodyLimit: Int) throws {
        (listener, port) = try ServerSocket.listening()
        self.bodyLimit = bodyLimit
    }

    var openConnections: Int { state.withLock { $0.open.count } }

    // MARK: Routes

    func add(_ method: String?, _ path: String, isPrefix: Bool, _ handler: @escaping Handler) {
        state.withLock { state in
            state.lastRoute += 1
            let route = Route(number: state.lastRoute, method: method, handler: handler)
            if isPrefix {
                state.prefixRoutes.append((path, route))
            } else {
                state.routes[path, default: []].append(route)
            }
        }
    }

    private func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        let path = request.path
        let route = state.withLock { state in
            let exact = state.routes[path]?.last { $0.takes(request) }
            let prefix = state.prefixRoutes.last { $0.route.takes(request) && path.begins(with: $0.path) }
            return [exact, prefix?.route].compactMap(\.self).max { $0.number < $1.number }
        }
        let response = route?.handler(request) ?? .text("nothing at \(path)", status: 404)
        return response.fitted(to: request)
    }

    // MARK: Threads

    func start() {
        run("stepline.server") { self.acceptAll() }
        threads.notify(queue: .global()) { self.stopped.fulfill(()) }
    }

    private func run(_ name: String, _ body: @escaping @Sendable () -> Void) {
        threads.enter()
        let thread = Thread { [threads] in
            body()
            threads.leave()
        }
        thread.name = name
        thread.stackSize = 512 << 10
        thread.start()
    }

    private func acceptAll() {
        while let socket = listener.accept() {
            guard let number = open(socket) else { break }
            opened.record(number)
            run("stepline.connection") { self.serve(socket, number) }
        }
        listener.close()
    }

    private func open(_ socket: ServerSocket) -> Int? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.lastConnection += 1
            state.open[state.lastConnection] = socket
            return state.lastConnection
        }
    }

    private func serve(_ socket: ServerSocket, _ number: Int) {
        var reader = RequestReader(socket, bodyLimit: bodyLimit)
        let writer = ResponseWriter(socket: socket, hasEnded: { self.hasEnded })
        while var request = reader.next() {
            request.connection = number
            requests.record(request)
            guard writer.send(answer(request), to: request) else { break }
        }
        socket.close()
        let end = state.withLock { state in
            state.open[number] = nil
            return state.ends.removeValue(forKey: number)
        }
        end?.fulfill(())
        closed.record(number)
    }

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    // MARK: Ending

    func waitUntilClosed(_ number: Int) async {
        let end: OneShot<Void>? = state.withLock { state in
            // A future connection is awaited too; a closed one isn't.
            guard number > state.lastConnection || state.open[number] != nil else { return nil }
            let end = state.ends[number] ?? OneShot()
            state.ends[number] = end
            return end
        }
        await end?.value
    }

    func stop() {
        let sockets = state.withLock { state in
            state.hasEnded = true
            return Array(state.open.values)
        }
        // Shutting down ends blocking calls of the other threads, which then close their sockets.
        listener.shutDown()
        for socket in sockets { socket.shutDown() }
    }
}
