/// The version of the command and of the library that it is built with.
enum Version {
    static let text = "0.1.0"
    /// When the manual pages were last true of it, as they have to say.
    static let date = "2026-11-23"

    /// How requests call the command that sends them.
    static let agent = "stepline/\(text)"
}
