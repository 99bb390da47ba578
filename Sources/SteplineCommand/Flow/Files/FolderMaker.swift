import Foundation
import SteplineSteps

/// Creates folders.
enum FolderMaker {
    /// Creates a folder and all missing folders around it; throws if a file is in the way.
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
