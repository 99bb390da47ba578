import Foundation
import SteplineSteps

/// Deletes a file, a link, or on request a folder with its contents; never the target of a link.
struct FileRemoval {
    private let path: String
    private let takesFolders: Bool
    private let isRequired: Bool

    init(_ path: String, takesFolders: Bool, isRequired: Bool) {
        self.path = path
        self.takesFolders = takesFolders
        self.isRequired = isRequired
    }

    func run() throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT, !isRequired else { throw FileError.system("delete", path) }
            return
        }
        guard status.isFolder else {
            // Another process may have deleted the file meanwhile.
            guard unlink(path) == 0 || errno == ENOENT && !isRequired else {
                throw FileError.system("delete", path)
            }
            return
        }
        guard takesFolders else {
            throw FileError(.notRegular, path, "a folder, which is deleted only with folders: true")
        }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw FileError(.system, path, "delete failed: \(Self.cause(of: error))", underlying: error)
        }
    }

    /// Returns the system's message, with the path of the failed file inside a folder if it is known.
    private static func cause(of error: any Error) -> String {
        let error = error as NSError
        let place = error.userInfo[NSFilePathErrorKey] as? String
        let number = (error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code.rawValue
        let text = number.map { String(cString: strerror($0)) } ?? error.localizedDescription
        return text + (place.map { " (\($0))" } ?? "")
    }
}
