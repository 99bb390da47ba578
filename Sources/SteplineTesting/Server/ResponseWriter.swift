import Foundation
import SteplineSupport

/// The transmission of one response, including faults.
struct ResponseWriter {
    private static let pieceSize = 64 << 10

    let socket: ServerSocket
    let hasEnded: @Sendable () -> Bool

    /// Sends the response; returns whether the connection can receive another request.
    func send(_ response: LoopbackResponse, to request: LoopbackRequest) -> Bool {
        if case .silence = response.fault?.kind {
            _ = socket.waitForHangUp()
            return false
        }
        if response.delay > .zero, socket.waitForHangUp(milliseconds: response.delay.inMilliseconds) {
            return false
        }
        let keepsOpen =
            !response.closesConnection && !response.isUntilClose
            && request["Connection"]?.lowercased() != "close"
        guard write(response.rawHead ?? head(of: response, keepsOpen: keepsOpen)) else { return false }
        let hasBody = request.method != "HEAD" && response.status != 304 && response.status != 204
        guard !hasBody || sendBody(of: response) else { return false }
        return keepsOpen
    }

    private func head(of response: LoopbackResponse, keepsOpen: Bool) -> Data {
        var head = "HTTP/1.1 \(response.status) \(HTTPStatus.phrase(response.status))\r\n"
        for line in response.headers.lines { head += "\(line.name): \(line.value)\r\n" }
        switch response.framing {
        case .length where response.status != 304 && response.status != 204:
            head += "Content-Length: \(response.announcedLength ?? response.body.count ?? 0)\r\n"
        case .chunked where response.status != 304 && response.status != 204:
            head += "Transfer-Encoding: chunked\r\n"
        default:
            break
        }
        if !keepsOpen { head += "Connection: close\r\n" }
        return Data((head + "\r\n").utf8)
    }

    private func sendBody(of response: LoopbackResponse) -> Bool {
        var sent = 0
        var chunk = Self.pieceSize
        var isChunked = false
        if case .chunked(let size) = response.framing, response.rawHead == nil {
            chunk = size
            isChunked = true
        }
        var pause: (at: Int, Pause)? = response.fault?.pause
        while true {
            var limit = chunk
            if let (at, kind) = pause {
                if sent >= at {
                    pause = nil
                    guard kind.pass(socket) else { return false }
                } else {
                    // Stop exactly at the position of the fault.
                    limit = min(limit, at - sent)
                }
            }
            if case .drip(let bytes, let interval)? = response.fault?.kind {
                limit = min(limit, bytes)
                if sent > 0, socket.waitForHangUp(milliseconds: interval.inMilliseconds) { return false }
            }
            let piece = response.body.next(from: sent, limit: limit)
            guard !piece.isEmpty else { break }
            guard !hasEnded(), isChunked ? writeChunk(piece) : write(piece) else { return false }
            sent += piece.count
        }
        return isChunked ? write(Data("0\r\n\r\n".utf8)) : true
    }

    private func writeChunk(_ piece: Data) -> Bool {
        var chunk = Data("\(String(piece.count, radix: 16))\r\n".utf8)
        chunk.append(piece)
        chunk.append(contentsOf: [13, 10])
        return write(chunk)
    }

    private func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { socket.write($0) }
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int32 { Int32(clamping: Int64(self / .milliseconds(1))) }
}

/// The action when the body has reached the position of a fault.
private enum Pause {
    case stall, reset, close
    case gate(Gate)

    /// Returns whether the body continues afterwards.
    func pass(_ socket: ServerSocket) -> Bool {
        switch self {
        case .stall:
            _ = socket.waitForHangUp()
            return false
        case .reset:
            socket.reset()
            return false
        case .close:
            return false
        case .gate(let gate):
            return gate.block()
        }
    }
}

extension LoopbackFault {
    fileprivate var pause: (at: Int, Pause)? {
        switch kind {
        case .silence, .drip: nil
        case .stall(let bytes): (bytes, .stall)
        case .hold(let bytes, let gate): (bytes, .gate(gate))
        case .reset(let bytes): (bytes, .reset)
        case .close(let bytes): (bytes, .close)
        }
    }
}

extension LoopbackResponse {
    fileprivate var isUntilClose: Bool {
        if case .untilClose = framing { true } else { false }
    }
}

/// The phrases of status codes.
private enum HTTPStatus {
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 401: "Unauthorized"
        case 404: "Not Found"
        case 416: "Range Not Satisfiable"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
