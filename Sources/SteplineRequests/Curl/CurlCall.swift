#if os(Linux)
    import CCurl
    import Foundation
    import FoundationNetworking

    /// One exchange as the loop's thread sees it: what libcurl calls back, gathered and told.
    final class CurlCall {
        /// What comes in small pieces is told in larger ones, at most so large.
        private static let piece = 256 << 10

        let exchange: CurlExchange
        /// Called when there are bytes to be told once libcurl has returned.
        var hasPending: () -> Void = {}
        /// Called when a rest is left that is to be unpacked later.
        var leavesRest: () -> Void = {}
        private(set) var isPaused = false
        /// Whether of what has come something is still to be unpacked.
        private var hasRest = false
        /// How libcurl has ended it while a rest was left.
        private(set) var heldEnd: (code: Int32, verdict: Int)?

        private let body: CurlBody?
        private let errorText: UnsafeMutablePointer<CChar>
        private var head = ResponseHead()
        private var pending = Data()
        /// Whether a part of the head has come that hasn't been told.
        private var hasHeardHead = false
        /// What unpacks the body; nil for one that isn't packed.
        private var unpacking: BodyUnpacking?
        /// Why this side has broken the transfer off.
        private(set) var failure: (any Error)?
        private var headerList: UnsafeMutableRawPointer?

        init(_ exchange: CurlExchange) throws {
            self.exchange = exchange
            body = try CurlBody(exchange.body, of: exchange.request)
            errorText = .allocate(capacity: Int(CCURL_ERROR_SIZE))
            errorText.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
        }

        deinit {
            errorText.deallocate()
            ccurl_list_free(headerList)
        }

        private var request: URLRequest { exchange.request }

        /// Whether nobody wants more bytes for now.
        var isHeld: Bool { exchange.terms.flow?.isHeld == true }

        // MARK: Before

        /// Has a fresh handle do what the request asks for.
        func prepare(_ easy: CurlEasy, _ rules: CurlRules) throws {
            guard let url = request.url, let host = url.host(percentEncoded: true),
                easy.set(CCURL_URL, url.absoluteString),
                // What was checked must be what is connected to.
                ccurl_agrees_on_host(url.absoluteString, host) != 0
            else { throw CurlFailure.error(.badURL, "the URL can't be used", request.url) }
            setRules(easy)
            setCallbacks(easy)
            if let lack = rules.tls.apply(to: easy) {
                throw CurlFailure.error(.secureConnectionFailed, "this libcurl knows no \(lack)", url)
            }
            let method = request.httpMethod ?? "GET"
            if method == "HEAD" {
                easy.set(CCURL_NOBODY, 1)
            } else if let body {
                easy.set(CCURL_UPLOAD, 1)
                easy.set(CCURL_INFILESIZE_LARGE, offset: body.count)
            }
            if method != "GET" || body != nil, method != "HEAD" { easy.set(CCURL_CUSTOMREQUEST, method) }
            // On a connection that turns out to be dead libcurl would send it again, of its own accord.
            if body == nil, !request.isIdempotent { easy.set(CCURL_FRESH_CONNECT, 1) }
            let lines = request.headerLines(
                hasBody: body != nil, cookie: exchange.cookies?.header(for: url),
                agent: rules.agent, unpacks: BodyUnpacking.isPossible)
            for line in lines { headerList = ccurl_list_add(headerList, line) }
            if let headerList { easy.set(CCURL_HTTPHEADER, headerList) }
        }

        private func setRules(_ easy: CurlEasy) {
            easy.set(CCURL_PROTOCOLS, Int(CCURL_HTTP_AND_HTTPS))
            easy.set(CCURL_REDIR_PROTOCOLS, Int(CCURL_HTTP_AND_HTTPS))
            easy.set(CCURL_DISALLOW_USERNAME_IN_URL, 1)
            easy.set(CCURL_HTTP09_ALLOWED, 0)
            easy.set(CCURL_SUPPRESS_CONNECT_HEADERS, 1)
            easy.set(CCURL_NOSIGNAL, 1)
            easy.set(CCURL_NOPROGRESS, 1)
            // Cancelling doesn't wait for a name to be resolved.
            easy.set(CCURL_QUICK_EXIT, 1)
            // Time-outs go by the clock that was injected.
            easy.set(CCURL_CONNECTTIMEOUT_MS, Int(Int32.max))
            easy.set(CCURL_BUFFERSIZE, Self.piece)
            easy.set(CCURL_UPLOAD_BUFFERSIZE, Self.piece)
        }

        private func setCallbacks(_ easy: CurlEasy) {
            // The loop holds the call for as long as libcurl has its handle.
            let context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            for option in [
                CCURL_HEADERDATA, CCURL_WRITEDATA, CCURL_READDATA, CCURL_SEEKDATA, CCURL_PREREQDATA,
            ] {
                easy.set(option, context)
            }
            easy.set(CCURL_ERRORBUFFER, UnsafeRawPointer(errorText))
            easy.set(CCURL_HEADERFUNCTION) { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return CurlCall.of(context)?.take(head: line) ?? 0
            }
            easy.set(CCURL_WRITEFUNCTION) { bytes, size, count, context in
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return CurlCall.of(context)?.take(body: piece) ?? 0
            }
            easy.set(CCURL_READFUNCTION) { bytes, size, count, context in
                let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return CurlCall.of(context)?.give(into: room) ?? Int(CCURL_READ_ABORT)
            }
            easy.set(begin: { context, _, _, _, _ in
                CurlCall.of(context)?.exchange.tell(.connected)
                return 0
            })
            easy.set { context, offset, _ in
                CurlCall.of(context)?.seek(to: offset) == true ? 0 : Int32(CCURL_SEEK_FAIL)
            }
        }

        private static func of(_ context: UnsafeMutableRawPointer?) -> CurlCall? {
            context.map { Unmanaged<CurlCall>.fromOpaque($0).takeUnretainedValue() }
        }

        // MARK: What libcurl calls; any other number than that of the bytes ends the transfer

        private func take(head line: UnsafeRawBufferPointer) -> Int {
            guard !exchange.isOver, let url = request.url else { return 0 }
            switch head.read(line) {
            case .more:
                if !hasHeardHead { hasPending() }
                hasHeardHead = true
            case .malformed(let reason):
                failure = CurlFailure.error(.badServerResponse, reason, url)
                return 0
            case .complete(let fields):
                exchange.cookies?.store(fields.cookies, from: url)
                guard
                    let response = HTTPURLResponse(
                        url: url, statusCode: fields.status, httpVersion: fields.version,
                        headerFields: fields.values)
                else { return 0 }
                do {
                    unpacking = try unpacking(of: response)
                } catch {
                    failure = error
                    return 0
                }
                exchange.tell(.response(response))
            }
            return line.count
        }

        /// What unpacks a body; nil for one that is taken as it comes.
        private func unpacking(of response: HTTPURLResponse) throws -> BodyUnpacking? {
            guard request.httpMethod != "HEAD",
                let names = response.value(forHTTPHeaderField: "Content-Encoding")
            else { return nil }
            // Who asks for an encoding by name can unpack it, unless it is one that is unpacked for everybody.
            let asked = request.value(forHTTPHeaderField: "Accept-Encoding")
            do {
                return try BodyUnpacking(names)
            } catch is BodyUnpacking.Unknown where asked != nil {
                return nil
            } catch {
                throw CurlFailure.error(.cannotDecodeContentData, "\(error)", request.url)
            }
        }

        private func take(body piece: UnsafeRawBufferPointer) -> Int {
            guard !exchange.isOver else { return 0 }
            if hasRest || isHeld {
                tellPending()
                isPaused = true
                return Int(CCURL_WRITE_PAUSE)
            }
            guard let unpacking else {
                gather(piece)
                return piece.count
            }
            unpacking.feed(piece)
            unpack(unpacking)
            guard failure == nil else { return 0 }
            if hasRest {
                // The piece is libcurl's.
                unpacking.keepRest()
                leavesRest()
            }
            return piece.count
        }

        /// Unpacks what has come, as far as it is wanted now.
        private func unpack(_ unpacking: BodyUnpacking) {
            do {
                hasRest = try unpacking.unpack { bytes in
                    gather(bytes)
                    return !exchange.isOver && !isHeld
                }
            } catch {
                hasRest = false
                failure = CurlFailure.error(.cannotDecodeContentData, "\(error)", request.url)
            }
        }

        /// Keeps bytes until there are enough of them to be told.
        private func gather(_ piece: UnsafeRawBufferPointer) {
            if pending.isEmpty {
                // Full pieces come in numbers.
                if piece.count >= 16 << 10 { pending.reserveCapacity(Self.piece) }
                hasPending()
            }
            piece.withMemoryRebound(to: UInt8.self) { pending.append($0) }
            if pending.count > Self.piece - (16 << 10) { tellPending() }
        }

        private func give(into room: UnsafeMutableRawBufferPointer) -> Int {
            guard !exchange.isOver, let body else { return Int(CCURL_READ_ABORT) }
            guard let count = body.read(into: room) else {
                failure = RequestError(
                    .body, "the file of the body can't be read to its end", request: request)
                return Int(CCURL_READ_ABORT)
            }
            if count > 0 { exchange.tell(.sent(body.sent, of: body.count)) }
            return count
        }

        private func seek(to offset: Int64) -> Bool {
            guard let body else { return false }
            return (body.sent == 0 || request.isIdempotent) && body.seek(to: offset)
        }

        // MARK: After

        /// Tells the bytes that have been gathered.
        func tellPending() {
            if hasHeardHead, !head.isComplete { exchange.tell(.head) }
            hasHeardHead = false
            guard !pending.isEmpty else { return }
            let bytes = pending
            pending = Data()
            exchange.tell(.bytes(bytes))
        }

        /// Reading may go on; false if it had never stopped.
        func goOn() -> Bool {
            defer { isPaused = false }
            return isPaused
        }

        /// Goes on with a rest, as far as it is wanted and keeps no others waiting; false if one is left.
        func unpackRest() -> Bool {
            if exchange.isOver { hasRest = false }
            if hasRest, let unpacking { unpack(unpacking) }
            return !hasRest
        }

        /// Tells the end that libcurl has told by a code, and what it found wrong with the peer's certificate.
        ///
        /// While there is a rest to be told before it, it is only noted.
        func end(_ code: Int32, verdict: Int) {
            guard !hasRest else {
                heldEnd = (code, verdict)
                return
            }
            tellPending()
            exchange.end(failure ?? error(code, verdict))
        }

        private func error(_ code: Int32, _ verdict: Int) -> URLError? {
            if code != 0 {
                return CurlFailure.error(code, String(cString: errorText), verdict: verdict, request.url)
            }
            guard head.isComplete else {
                let text = "the connection ended before the response's head was complete"
                return CurlFailure.error(.networkConnectionLost, text, request.url)
            }
            guard unpacking?.isCut != true else {
                let text = "the packed body ended before its end"
                return CurlFailure.error(.networkConnectionLost, text, request.url)
            }
            return nil
        }
    }
#endif
