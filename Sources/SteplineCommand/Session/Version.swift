/// The version of the command and of the library that it is built with.
enum Version {
    static let text = "0.1.0"
}
