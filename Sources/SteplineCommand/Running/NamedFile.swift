import Foundation

/// A file on the command line, with its option.
struct NamedFile: Sendable {
    let option: String
    let url: URL

    init(_ option: String, _ url: URL) {
        self.option = option
        self.url = url
    }

    /// The identity of a file, for comparing names.
    private enum Identity: Hashable {
        case there(device: UInt64, number: UInt64)
        /// A missing file, identified by its resolved path.
        case absent(String)
    }

    private var identity: Identity {
        let path = url.path(percentEncoded: false)
        var status = stat()
        guard stat(path, &status) == 0 else {
            return .absent(PathResolver.resolve(path, in: "/") ?? path)
        }
        return .there(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// Throws if an output is an input or another output, under any name.
    static func check(outputs: [NamedFile], inputs: [NamedFile] = []) throws(UsageError) {
        var known = Dictionary(inputs.map { ($0.identity, $0) }) { first, _ in first }
        for output in outputs {
            if let other = known.updateValue(output, forKey: output.identity) {
                throw UsageError(
                    "\(output.option) \(output.url.relativePath): that is the file of \(other.option), too")
            }
        }
    }
}
