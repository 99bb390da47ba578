/// The version of the command and of the library that it is built with.
enum Version {
    static let text = "1.0.0"
    /// The date of the manual pages.
    static let date = "2026-11-23"

    /// The user agent of requests.
    static let agent = "stepline/\(text)"
}
