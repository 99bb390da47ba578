import SteplineRequests

extension Option<String> {
    static let cookies = Option(
        text: "cookies", value: "FILE", completion: .file,
        "keep cookies in a file, as curl does; without it they end with the run")
    static let cache = Option(
        text: "cache", value: "FOLDER", completion: .file,
        "keep answers in a folder, and ask again only when their servers say so")
    static let caCert = Option(
        text: "cacert", value: "FILE", completion: .file,
        "trust these authorities (PEM) instead of the system's")
    static let cert = Option(
        text: "cert", value: "FILE", completion: .file,
        "show this certificate (PEM, or .p12) to servers that ask for one")
    static let key = Option(
        text: "key", value: "FILE", completion: .file,
        "the certificate's key; STEPLINE_KEY_PASSWORD in the environment unlocks it")
}

extension Option<TLSOptions.Version> {
    static let tls = Option(choice: "tls", value: "VERSION", "the oldest version of TLS to speak")
}

extension Option<Double> {
    static let rate = Option(
        "rate", value: ValueRow("N", expected: "a number of requests a second, such as 2 or 0.5"),
        "send at most so many requests a second to each host"
    ) { text in
        Double(text).flatMap { $0 > 0 && $0 <= 1e6 ? $0 : nil }
    }
}
