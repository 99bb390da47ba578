import Foundation
import SteplinePipeline
import SteplineReports
import SteplineSteps
import SteplineSupport

/// An output file that may replace only an earlier output of the same kind.
struct OutputFile: Sendable {
    let url: URL
    let format: PictureFormat
    /// The option of the file, for messages.
    private let option: String
    private let mayOverwrite: Bool

    init(_ url: URL, _ format: PictureFormat, option: String, mayOverwrite: Bool) {
        self.url = url
        self.format = format
        self.option = option
        self.mayOverwrite = mayOverwrite
    }

    /// The file with its option.
    var named: NamedFile { NamedFile(option, url) }

    /// Throws if the file can't be written or would replace another kind of file.
    ///
    /// Call before the run, and again before writing, since the run may have created a file there.
    func check() throws(UsageError) {
        let path = url.path(percentEncoded: false)
        var status = stat()
        guard stat(path, &status) == 0 else { return try checkFolder() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw refusal("that is a folder")
        // Reading a pipe would consume data or block.
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

    /// Writes the file atomically.
    func write(_ text: String) throws {
        let save = FileSaveStep(url)
        save.content.bodyData = Data(text.utf8)
        save.start()
        if let error = save.error { throw error }
    }

    /// Throws if the nearest existing folder isn't writable.
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

    /// Returns the beginning of a file, which identifies its kind; nil if it can't be read.
    private static func beginning(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        // Some empty files can't be read: distinguish them from unreadable ones by their size.
        let bytes = (try? file.read(upToCount: 4096)) ?? ((try? file.seekToEnd()) == 0 ? Data() : nil)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private func refusal(_ reason: String) -> UsageError {
        UsageError("\(option) \(url.relativePath): \(reason)")
    }
}

extension OutputFile {
    /// The error for an output file that can't be written.
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
    /// The name of such a file.
    fileprivate var words: String {
        switch self {
        case .html: "report"
        case .trace: "trace"
        default: "drawing (\(name))"
        }
    }
}
