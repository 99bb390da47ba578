import Foundation
import SteplinePipeline
import SteplineReports
import SteplineSupport

/// A file that is to be written, which must not take the place of anything but an earlier output of the same kind.
struct OutputFile: Sendable {
    let url: URL
    let format: PictureFormat
    /// The option that names it, for messages.
    private let option: String
    private let mayOverwrite: Bool

    init(_ url: URL, _ format: PictureFormat, option: String, mayOverwrite: Bool) {
        self.url = url
        self.format = format
        self.option = option
        self.mayOverwrite = mayOverwrite
    }

    /// What it is called on the command line.
    var named: NamedFile { NamedFile(option, url) }

    /// Throws if it can't be written, or would take the place of something else; to be asked before the run, and again
    /// before it is written, as the run may have made a file there.
    func check() throws(UsageError) {
        let path = url.path(percentEncoded: false)
        var status = stat()
        guard stat(path, &status) == 0 else { return try checkFolder() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw refusal("that is a folder")
        // To look into a pipe would take what is meant for others, or wait for ever.
        default: throw refusal("that is no regular file")
        }
        guard access(path, W_OK) == 0 else { throw refusal("the file can't be written") }
        guard !mayOverwrite else { return }
        let beginning = Self.beginning(of: path)
        guard beginning != "", beginning.map(format.isOwn) != true else { return }
        let other = beginning.flatMap { beginning in
            PictureFormat.all.first { $0.isOwn(beginning: beginning) }
        }
        let what =
            other.map { "a \($0.words), not a \(format.words)" } ?? "no \(format.words) of an earlier run"
        throw refusal("the file that is there is \(what); --force overwrites it")
    }

    /// The nearest folder that is there must take new files.
    private func checkFolder() throws(UsageError) {
        var path = url.path(percentEncoded: false)
        var isFolder: ObjCBool = false
        repeat {
            path = path.outerFolder
        } while path.utf8.count > 1 && !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if path == "/" { isFolder = true }
        guard isFolder.boolValue else { throw refusal("\(path) is no folder") }
        guard access(path, W_OK) == 0 else { throw refusal("\(path) can't be written to") }
    }

    /// What is in a file, as far as it tells the file's kind; nil if that can't be read.
    private static func beginning(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        // Nothing is read of an empty file; of one that can't be read nothing is known.
        let bytes = (try? file.read(upToCount: 4096)) ?? ((try? file.seekToEnd()) == 0 ? Data() : nil)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private func refusal(_ reason: String) -> UsageError {
        UsageError("\(option) \(url.relativePath): \(reason)")
    }
}

extension OutputFile {
    /// An output of the command line that can't be written.
    struct Failure: ErrorWithCause, CustomStringConvertible {
        let file: NamedFile
        let underlying: (any Error)?

        init(_ file: NamedFile, _ cause: any Error) {
            self.file = file
            underlying = PipelineError.cause(of: cause).error
        }

        var description: String {
            "\(file.option) \(file.url.relativePath): \(underlying.map { ErrorText.line($0) } ?? "")"
        }
    }
}

extension PictureFormat {
    /// What such a file is called.
    fileprivate var words: String {
        switch self {
        case .html: "report"
        case .trace: "trace"
        default: "drawing (\(name))"
        }
    }
}
