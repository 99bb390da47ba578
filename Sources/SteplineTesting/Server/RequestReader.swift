import Foundation
import SteplineSupport

/// A parser of the requests on a connection.
struct RequestReader {
    private static let headLimit = 64 << 10

    private let socket: ServerSocket
    private let bodyLimit: Int
    private var received: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ socket: ServerSocket, bodyLimit: Int) {
        self.socket = socket
        self.bodyLimit = bodyLimit
    }

    /// Returns the next request; nil at the end of the connection, or for invalid input.
    mutating func next() -> LoopbackRequest? {
        guard let head = readHead(), var request = parse(head) else { return nil }
        if request["Expect"]?.lowercased() == "100-continue" {
            let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            guard interim.withUnsafeBytes({ socket.write($0) }) else { return nil }
        }
        if request["Transfer-Encoding"]?.lowercased() == "chunked" {
            guard readChunks(&request) else { return nil }
        } else if let length = request["Content-Length"].flatMap({ Int($0) }), length > 0 {
            guard readBody(length, &request) else { return nil }
        }
        return request
    }

    private mutating func readHead() -> [UInt8]? {
        var searched = 0
        while true {
            if let end = endOfHead(from: searched) {
                let head = Array(received[..<end])
                received.removeFirst(end + 4)
                return head
            }
            // The end of the head may span two reads.
            searched = max(received.count - 3, 0)
            guard received.count < Self.headLimit, fill() else { return nil }
        }
    }

    private func endOfHead(from start: Int) -> Int? {
        guard received.count >= 4 else { return nil }
        return (start...max(start, received.count - 4)).first { index in
            index + 4 <= received.count && received[index..<(index + 4)].elementsEqual([13, 10, 13, 10])
        }
    }

    private mutating func fill() -> Bool {
        guard let count = buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) else { return false }
        received += buffer[..<count]
        return true
    }

    private func parse(_ head: [UInt8]) -> LoopbackRequest? {
        let lines = String(decoding: head, as: UTF8.self).parts(between: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        var headers: LoopbackHeaders = [:]
        for line in lines.dropFirst() {
            guard let (name, value) = line.halves(at: ":") else { return nil }
            headers.add(name, value.trimmingCharacters(in: .whitespaces))
        }
        return LoopbackRequest(method: String(words[0]), target: String(words[1]), headers: headers)
    }

    private mutating func readBody(_ length: Int, _ request: inout LoopbackRequest) -> Bool {
        var missing = length
        while missing > 0 {
            if received.isEmpty, !fill() { return false }
            let count = min(missing, received.count)
            let room = max(bodyLimit - request.body.count, 0)
            request.body.append(contentsOf: received[..<min(count, room)])
            request.bodyCount += count
            received.removeFirst(count)
            missing -= count
        }
        return true
    }

    private mutating func readChunks(_ request: inout LoopbackRequest) -> Bool {
        while true {
            guard let line = readLine(), let size = Int(line.prefix { $0 != ";" }, radix: 16) else {
                return false
            }
            guard size > 0 else { break }
            guard readBody(size, &request), readLine() != nil else { return false }
        }
        while let line = readLine() {
            if line.isEmpty { return true }
        }
        return false
    }

    private mutating func readLine() -> String? {
        while true {
            if let end = received.firstIndex(of: 10) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end + 1)
                return line.trimmingCharacters(in: .newlines)
            }
            guard received.count < Self.headLimit, fill() else { return nil }
        }
    }
}
