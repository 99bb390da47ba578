import Foundation
import SteplineSupport

/// The source of the library for a new package: a folder, or a repository with a version.
enum LibraryPlace {
    /// A folder, with its path as the manifest of the new package names it.
    case folder(String)
    case repository(String, version: String)

    /// Parses the arguments; throws if one is missing or invalid.
    init(_ text: String, version: String?, in session: Session) throws(UsageError) {
        if text.contains("://") || text.hasPrefix("git@") {
            guard let version else {
                throw UsageError("--library \(text): a repository needs a --from-version")
            }
            guard Self.isVersion(version) else {
                throw UsageError("--from-version \(version): that is no version such as 1.2.3")
            }
            self = .repository(text, version: version)
            return
        }
        let folder = session.place(text).standardizedFileURL
        guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) else {
            throw UsageError("--library \(text): there is no Package.swift in that folder")
        }
        // A relative path stays one, so that the folders can be moved together. The package is one level deeper.
        self = .folder(PathResolver.isAbsolute(text) ? folder.path : "../\(text)")
    }

    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { UInt32($0) != nil }
    }

    /// The dependency for the package manifest.
    var dependency: String {
        switch self {
        case .folder(let path): ".package(name: \"stepline\", path: \(Self.quoted(path)))"
        case .repository(let url, let version):
            ".package(url: \(Self.quoted(url)), from: \(Self.quoted(version)))"
        }
    }

    /// The package name for product dependencies.
    var package: String {
        guard case .repository(let url, _) = self else { return "stepline" }
        let last = url.split(whereSeparator: { $0 == "/" || $0 == ":" }).last ?? "stepline"
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : String(last)
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.rewriting { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil } + "\""
    }
}
