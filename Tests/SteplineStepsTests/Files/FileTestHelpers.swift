import Foundation
import Stepline
import TestSupport
import Testing

extension TemporaryFolder {
    subscript(_ name: String) -> URL { url.appending(path: name) }

    /// Writes a new file with these bytes, and returns its URL.
    func file(_ name: String, _ bytes: Data = Data("old".utf8)) throws -> URL {
        try bytes.write(to: self[name])
        return self[name]
    }
}

/// Saves by a pipeline, as a user would.
func save(_ data: Data, to url: URL, _ change: (inout FileSaveOptions) -> Void = { _ in }) async -> Outcome<
    Content
> {
    var options = FileSaveOptions()
    change(&options)
    var content = Content()
    content.bodyData = data
    let pipeline = Pipeline("save", content: content)
    do {
        try pipeline.addStep(FileSaveStep(url, options: options))
        try pipeline.start()
    } catch {
        Issue.record(error)
    }
    return await pipeline.outcome()
}

/// Loads by a pipeline: the bytes, or the error.
func load(_ url: URL, options: Data.ReadingOptions = [], limit: Int = 1 << 30) async -> Result<
    Data, PipelineError
> {
    do {
        return .success(try await Pipeline.run { FileLoadStep(url, options: options, limit: limit) })
    } catch let error as PipelineError {
        return .failure(error)
    } catch {
        Issue.record(error)
        return .success(Data())
    }
}

extension Result where Success == Data, Failure == PipelineError {
    var data: Data? { try? get() }

    var fileError: FileError? {
        if case .failure(let error) = self { error.underlying(as: FileError.self) } else { nil }
    }
}

extension Outcome<Content> {
    var isCancellation: Bool {
        if case .cancelled = self { true } else { false }
    }

    var failure: PipelineError? { error as? PipelineError }

    var fileError: FileError? { failure?.underlying(as: FileError.self) }
}

extension FileError {
    /// The system's error number.
    var systemCode: POSIXErrorCode? { (underlying as? POSIXError)?.code }
}

extension URL {
    /// The bytes of the file; nil if there is none.
    var bytes: Data? { try? Data(contentsOf: self) }

    /// The file's permission bits.
    var mode: Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    }
}
