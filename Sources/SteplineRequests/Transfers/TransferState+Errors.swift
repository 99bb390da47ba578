import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransferState {
    func make(
        _ code: RequestError.Code, _ detail: String?, body: Data = Data(), phase: RequestError.Phase? = nil,
        underlying: (any Error)? = nil
    ) -> RequestError {
        RequestError(
            code, detail, method: request.httpMethod ?? "GET", url: request.url, response: response?.object,
            body: body, phase: phase, underlying: underlying)
    }

    /// The phase of a silence that was too long.
    var silentPhase: RequestError.Phase {
        switch stage {
        case .waiting, .connecting: .connecting
        case .begun, .answering: .answering
        case .receiving: .receiving
        }
    }

    func timedOut(in phase: RequestError.Phase) -> RequestError {
        let text =
            switch phase {
            case .total: "not complete within \(options.totalTimeout)"
            case .connecting: "no connection for \(plan.idleTimeout)"
            case .receiving: "no more bytes for \(plan.idleTimeout)"
            default: "no answer for \(plan.idleTimeout)"
            }
        return make(.timedOut, text, phase: phase)
    }

    var tooLarge: RequestError { make(.tooLarge, "more than \(options.mostBytes) bytes") }

    func truncated(_ cause: (any Error)?) -> RequestError {
        let announced = expected.map { " of \($0)" } ?? ""
        return make(.truncated, "the body ended after \(received)\(announced) bytes", underlying: cause)
    }

    /// Returns the error of a failed status, with the beginning of its body.
    func refusal(_ body: Data) -> RequestError {
        make(.status, "status \(response?.status ?? 0)", body: body)
    }

    func storageError(_ error: any Error) -> any Error {
        if error is RequestError || error is CancellationError { return error }
        if let short = error as? BodyTooShort {
            return make(.truncated, "the body ended after \(short.count) of \(short.total) bytes")
        }
        // The cause contains the text, which is user code and isn't read under the lock.
        return make(.storage, nil, underlying: error)
    }

    /// The mapping of TLS errors from the transport's codes.
    private static let codes: [URLError.Code: RequestError.Code] = [
        .serverCertificateHasBadDate: .certificateExpired, .serverCertificateNotYetValid: .certificateExpired,
        .serverCertificateHasUnknownRoot: .certificateUnknownAuthority,
        .serverCertificateUntrusted: .certificateWrongHost,
        .clientCertificateRejected: .clientCertificate, .clientCertificateRequired: .clientCertificate,
        .secureConnectionFailed: .secureConnection,
    ]

    /// Returns the load's error for a transport's error.
    func failure(_ error: any Error) -> any Error {
        if error is RequestError { return error }
        let code = (error as? URLError)?.code
        // Linux has no specific code for a body that ends early.
        if response != nil, code == .networkConnectionLost || code == .unknown { return truncated(error) }
        let kind = code.flatMap { Self.codes[$0] } ?? .connection
        return make(kind, nil, underlying: error)
    }

    /// Returns the announced length of the body; nil if it can't be compared with the received bytes.
    func announcedLength(of response: TransferResponse) -> Int64? {
        guard request.httpMethod != "HEAD" else { return nil }
        if let status = response.status {
            // These statuses have no body, whatever length they announce.
            if status == 204 || status == 304 { return nil }
            let encoding = response.value(of: "content-encoding")?.lowercased() ?? "identity"
            // The length counts compressed bytes, but decompressed bytes are received.
            guard encoding == "identity" else { return nil }
        }
        return response.expectedLength
    }

    func checkType(of response: TransferResponse) throws {
        guard response.status != 304, !options.accepts(response.mediaType) else { return }
        throw make(.contentType, "the type \"\(response.mediaType ?? "")\" is not among those accepted")
    }
}

extension LoadOptions {
    /// Returns whether a media type in lowercase letters is accepted; nil for an unknown one.
    func accepts(_ mediaType: String?) -> Bool {
        guard !contentTypes.isEmpty else { return true }
        let type = mediaType ?? ""
        let group = type.prefix { $0 != "/" } + "/*"
        let accepted = contentTypes.lazy.map { $0.lowercased() }
        return accepted.contains(where: { $0 == type || $0 == group })
    }
}

extension TransferState {
    var isRefused: Bool {
        if case .refused = fate { true } else { false }
    }

    /// Repeats the request without the headers that led to an unusable response, within the same attempt and limits.
    mutating func restart(_ number: Int, without headers: [String]) -> TransferEffects {
        guard phase == .running, number == exchange else { return [] }
        // Without a header to remove, the repetition would fail forever.
        guard headers.contains(where: { request.value(forHTTPHeaderField: $0) != nil }) else {
            return fail(make(.storage, "the server's answer does not fit what was asked for"))
        }
        for header in headers { request.setValue(nil, forHTTPHeaderField: header) }
        return begin()
    }
}
