public import Foundation
public import SteplinePipeline

/// Reads a file into the content's bytes.
///
/// Throws a ``FileError`` if the file isn't regular (without blocking on pipes), exceeds `limit`, or can't be read.
/// Files without a size, such as in `/proc`, are read to their end. With the options `.mappedIfSafe` and
/// `.alwaysMapped` large files are mapped into memory; don't truncate a mapped file while its bytes are in use.
public final class FileLoadStep: BasicStep<Void, Data>,
    @unchecked Sendable  // all stored properties are constant
{
    /// The size from which files are mapped if permitted; smaller ones are faster to read.
    private static let mappedSize = 256 << 10
    private static let chunk = 1 << 20
    /// The largest buffer allocated from the file's reported size.
    private static let trustedSize = 256 << 20

    private let url: URL
    private let readingOptions: Data.ReadingOptions
    private let limit: Int

    /// Creates a step that reads a file of at most `limit` bytes.
    public init(_ url: URL, options: Data.ReadingOptions = [], limit: Int = 1 << 30) {
        self.url = url
        readingOptions = options
        self.limit = limit
        super.init()
    }

    /// The errors in the settings: a URL that isn't a file URL.
    public override var configurationProblems: [String] { url.problemsAsFile }

    /// Creates an unused step with the same file, limit and options.
    public override func makeCopy() -> any Step {
        let copy = FileLoadStep(url, options: readingOptions, limit: limit)
        copy.takeOptions(of: self)
        return copy
    }

    /// Reads the file.
    public override func process(_ input: Void) throws -> Data {
        let file = try OpenFile(url.pathOfFile(), O_RDONLY)
        let status = try file.status()
        guard status.isRegularFile else {
            throw FileError(.notRegular, file.path, "not a regular file")
        }
        let size = Int(status.st_size)
        guard size <= limit else { throw tooLarge(file.path) }
        if mustMap(size) { return try file.map(size) }
        return try readToEnd(file, expecting: size)
    }

    private func mustMap(_ size: Int) -> Bool {
        guard size > 0 else { return false }
        return readingOptions.contains(.alwaysMapped)
            || readingOptions.contains(.mappedIfSafe) && size >= Self.mappedSize
    }

    private func readToEnd(_ file: OpenFile, expecting size: Int) throws -> Data {
        let context = context
        // The reported size may be far too large.
        let size = min(size, Self.trustedSize)
        var data = Data(count: size)
        var count = 0
        // Read the reported size in place, then the rest of a growing or sizeless file.
        while count < size {
            try context.checkCancellation()
            let read = try data.withUnsafeMutableBytes { bytes in
                try file.read(into: .init(rebasing: bytes[count..<min(size, count + Self.chunk)]))
            }
            guard read > 0 else { return data.prefix(count) }
            count += read
        }
        var rest = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            try context.checkCancellation()
            let read = try rest.withUnsafeMutableBytes { try file.read(into: $0) }
            guard read > 0 else { return data }
            guard data.count + read <= limit else { throw tooLarge(file.path) }
            data.append(contentsOf: rest[..<read])
        }
    }

    private func tooLarge(_ path: String) -> FileError {
        FileError(.tooLarge, path, "more than \(limit) bytes")
    }
}
