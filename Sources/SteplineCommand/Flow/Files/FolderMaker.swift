import Foundation
import SteplineSteps

/// Makes folders.
enum FolderMaker {
    /// Makes a folder, with all above it that isn't there; a file in its place is an error.
    static func make(_ path: String) throws {
        try FilePlace.make(path)
        var status = stat()
        guard stat(path, &status) == 0, status.isFolder else {
            throw FileError.system("mkdir", path, ENOTDIR)
        }
    }
}

extension stat {
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}
