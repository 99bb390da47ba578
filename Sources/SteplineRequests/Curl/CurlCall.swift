#if os(Linux)
    import CCurl
    import Foundation
    import FoundationNetworking

    /// An exchange on the loop's thread: receives libcurl's callbacks and reports events.
    ///
    /// `CurlWorker` owns the call while libcurl has the handle. Methods run inside libcurl's callbacks. Body bytes are
    /// collected in `pending` and reported in pieces of up to 256 KiB. If the reader holds the transfer, compressed
    /// bytes remain (`hasRest`), and libcurl is paused. An end from libcurl stays in `heldEnd` until all bytes were
    /// reported.
    final class CurlCall {
        /// The maximum size of a reported piece; smaller pieces are combined.
        private static let piece = 256 << 10

        let exchange: CurlExchange
        /// Called when bytes are pending that must be reported after libcurl has returned.
        var hasPending: () -> Void = {}
        /// Called when compressed bytes remain to be decompressed later.
        var leavesRest: () -> Void = {}
        private(set) var isPaused = false
        /// Whether received bytes remain to be decompressed.
        private var hasRest = false
        /// The end that libcurl reported while bytes remained.
        private(set) var heldEnd: (code: Int32, verdict: Int)?

        private let body: CurlBody?
        private let url: URL?
        private let errorText: UnsafeMutablePointer<CChar>
        private var head = ResponseHead()
        private var pending = Data()
        /// Whether a part of the head has arrived that wasn't reported.
        private var hasReceivedHead = false
        /// The decompression of the body; nil for an uncompressed body.
        private var unpacking: BodyUnpacking?
        /// The error with which this side aborted the transfer.
        private(set) var failure: (any Error)?
        private var headerList: UnsafeMutableRawPointer?

        init(_ exchange: CurlExchange) throws {
            self.exchange = exchange
            url = exchange.request.url
            body = try CurlBody(exchange.body, of: exchange.request)
            errorText = .allocate(capacity: Int(CCURL_ERROR_SIZE))
            errorText.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
        }

        deinit {
            errorText.deallocate()
            ccurl_list_free(headerList)
        }

        private var request: URLRequest { exchange.request }

        /// Whether the reader accepts no bytes for now.
        var isHeld: Bool { exchange.terms.flow?.isHeld == true }

        // MARK: Before

        /// Configures a new handle for the request.
        func prepare(_ easy: CurlEasy, _ rules: CurlRules) throws {
            guard let url, let host = url.host(percentEncoded: true),
                easy.set(CCURL_URL, url.absoluteString),
                // libcurl must parse the same host that was checked, or a crafted URL could reach another server.
                url.hasPlainAuthority || ccurl_agrees_on_host(url.absoluteString, host) != 0
            else { throw CurlFailure.error(.badURL, "the URL can't be used", request.url) }
            easy.setRules(isSecure: url.scheme?.lowercased() == "https", piece: Self.piece)
            setCallbacks(easy)
            if let lack = rules.tls.apply(to: easy) {
                throw CurlFailure.error(.secureConnectionFailed, "this libcurl knows no \(lack)", url)
            }
            let method = request.httpMethod ?? "GET"
            if method == "HEAD" {
                // HEAD has its own option: with a custom method, libcurl would wait for a body.
                easy.set(CCURL_NOBODY, 1)
            } else if let body {
                easy.set(CCURL_UPLOAD, 1)
                easy.set(CCURL_INFILESIZE_LARGE, offset: body.count)
            }
            // With a body libcurl would choose PUT: even GET must then be set.
            if method != "GET" || body != nil, method != "HEAD" { easy.set(CCURL_CUSTOMREQUEST, method) }
            // On a connection that turns out to be closed, libcurl would send the request again by itself.
            if body == nil, !request.isIdempotent { easy.set(CCURL_FRESH_CONNECT, 1) }
            let lines = request.headerLines(
                hasBody: body != nil, cookie: exchange.cookies?.header(for: url),
                agent: rules.agent, unpacks: BodyUnpacking.isPossible)
            for line in lines { headerList = ccurl_list_add(headerList, line) }
            if let headerList { easy.set(CCURL_HTTPHEADER, headerList) }
        }

        private func setCallbacks(_ easy: CurlEasy) {
            // The loop retains the call for as long as libcurl has its handle, so no reference is counted here.
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
            // Called once the connection is established, before the request is sent.
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
            // Zero aborts the transfer: the exchange was stopped on another thread.
            guard !exchange.isOver, let url else { return 0 }
            switch head.read(line) {
            case .more:
                if !hasReceivedHead { hasPending() }
                hasReceivedHead = true
            case .malformed(let reason):
                failure = CurlFailure.error(.badServerResponse, reason, url)
                return 0
            case .complete(let fields):
                exchange.cookies?.store(fields.cookies, from: url)
                do {
                    unpacking = try unpacking(of: fields)
                } catch {
                    failure = error
                    return 0
                }
                exchange.tell(TransferResponse(fields, from: url))
            }
            return line.count
        }

        /// Returns the decompression of a response's body; nil if the body is reported as received.
        private func unpacking(of fields: HeadFields) throws -> BodyUnpacking? {
            guard request.httpMethod != "HEAD",
                let names = fields.value(of: "content-encoding")
            else { return nil }
            // A request that names encodings handles unknown ones itself; gzip and deflate are always decompressed.
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
                // Report the earlier bytes first. After the pause libcurl delivers this piece again.
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
                // The piece belongs to libcurl and is invalid after this callback.
                unpacking.keepRest()
                leavesRest()
            }
            return piece.count
        }

        /// Decompresses the received bytes, as far as the reader accepts them.
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

        /// Collects bytes until a piece is large enough to be reported.
        private func gather(_ piece: UnsafeRawBufferPointer) {
            if pending.isEmpty {
                // Large pieces come in sequence: reserve a full buffer.
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
            // To seek after sent bytes repeats the request, which is safe only for idempotent methods.
            return (body.sent == 0 || request.isIdempotent) && body.seek(to: offset)
        }

        // MARK: After

        /// Reports the collected bytes.
        func tellPending() {
            if hasReceivedHead, !head.isComplete { exchange.tell(.head) }
            hasReceivedHead = false
            guard !pending.isEmpty else { return }
            let bytes = pending
            pending = Data()
            exchange.tell(.bytes(bytes))
        }

        /// Resumes reading; returns false if it wasn't paused.
        func resume() -> Bool {
            defer { isPaused = false }
            return isPaused
        }

        /// Decompresses remaining bytes; returns false if bytes remain.
        func unpackRest() -> Bool {
            if exchange.isOver { hasRest = false }
            if hasRest, let unpacking { unpack(unpacking) }
            return !hasRest
        }

        /// Reports the end with libcurl's code and its finding about the peer's certificate.
        ///
        /// While bytes remain to be reported, the end is only stored.
        func end(_ code: Int32, verdict: Int) {
            guard !hasRest else {
                heldEnd = (code, verdict)
                return
            }
            tellPending()
            // This side's own failure is the cause of libcurl's error code.
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
