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

    /// The identity of an existing file; nil for a missing one.
    private var presentIdentity: Identity? {
        var status = stat()
        guard stat(url.path(percentEncoded: false), &status) == 0 else { return nil }
        return .there(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    private var absentIdentity: Identity {
        let path = url.path(percentEncoded: false)
        return .absent(PathResolver.resolve(path, in: "/") ?? path)
    }

    /// Throws if an output is an input or another output, under any name.
    static func check(outputs: [NamedFile], inputs: [NamedFile] = []) throws(UsageError) {
        let files = inputs + outputs
        let identities = files.map(\.presentIdentity)
        // Resolving a path reads each of its folders. A single missing file can't be the same as another one.
        let mustResolve = identities.count { $0 == nil } > 1
        var known: [Identity: NamedFile] = [:]
        for (number, file) in files.enumerated() {
            guard let identity = identities[number] ?? (mustResolve ? file.absentIdentity : nil) else {
                continue
            }
            guard number >= inputs.count else {
                known[identity] = known[identity] ?? file
                continue
            }
            if let other = known.updateValue(file, forKey: identity) {
                throw UsageError(
                    "\(file.option) \(file.url.relativePath): that is the file of \(other.option), too")
            }
        }
    }
}
