import SteplineRequests

extension Option<String> {
    static let cookies = Option(
        text: "cookies", value: "FILE", completion: .file,
        "keep cookies in a file in curl's format (default: for this run only)")
    static let cache = Option(
        text: "cache", value: "FOLDER", completion: .file,
        "cache responses in this folder, as HTTP headers allow")
    static let caCert = Option(
        text: "cacert", value: "FILE", completion: .file,
        "trust these CAs (PEM) instead of the system's")
    static let cert = Option(
        text: "cert", value: "FILE", completion: .file,
        "send this client certificate (PEM, or .p12) if a server asks")
    static let certKey = Option(
        text: "cert-key", formerly: "key", value: "FILE", completion: .file,
        "the certificate's key; STEPLINE_KEY_PASSWORD holds its password")
}

extension Option<TLSOptions.Version> {
    static let tls = Option(choice: "tls", value: "VERSION", "the minimum TLS version")
}

extension Option<Double> {
    static let rate = Option(
        "rate", value: ValueRow("N", expected: "a number of requests a second, such as 2 or 0.5"),
        "send at most N requests a second to each host"
    ) { text in
        Double(text).flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil }
    }
}
