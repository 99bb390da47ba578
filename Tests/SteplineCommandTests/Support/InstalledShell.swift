import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

/// Shells of this machine.
enum InstalledShell {
    /// Where a shell is installed; nil if it isn't.
    static func place(of shell: Shell) -> URL? {
        ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + shell.rawValue }
            .first(where: FileManager.default.isExecutableFile(atPath:)).map { URL(filePath: $0) }
    }

    /// Why a test of it is left out.
    static func absence(of shell: Shell) -> Comment {
        "\(shell.rawValue) isn't installed (Debian: apt-get install \(shell.rawValue))"
    }
}

/// A folder with two files and a folder whose names have blanks, as are to be completed.
func folderToComplete() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url.appending(path: "a flow.json5"))
    try Data().write(to: folder.url.appending(path: "other.txt"))
    try FileManager.default.createDirectory(
        at: folder.url.appending(path: "a folder"), withIntermediateDirectories: false)
    return folder
}
