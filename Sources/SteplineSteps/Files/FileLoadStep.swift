public import Foundation
import SteplinePipeline

/// Reads a file into the content's bytes.
///
/// Fails with a ``FileError`` for anything but a regular file (never hanging on a pipe), for more than `limit`
/// bytes, and with the system's error for what can't be read. Files that report no size, as those of `/proc`,
/// are read to their end. Large files are mapped into memory with the options `.mappedIfSafe` and
/// `.alwaysMapped`; a file that is mapped must not be cut short while its bytes are in use.
public final class FileLoadStep: ReadyMadeStep<Void, Data>, @unchecked Sendable {
    /// Makes a step that reads the file at `url`, of at most `limit` bytes.
    public init(_ url: URL, options: Data.ReadingOptions = [], limit: Int = 1 << 30) {
        super.init(
            problems: url.problemsAsFile, copy: { FileLoadStep(url, options: options, limit: limit) }
        ) { _, step in
            try FileLoad(options: options, limit: limit, context: step.context).data(of: url)
        }
    }
}

/// One read of a file.
private struct FileLoad {
    /// From this size on a file is mapped, where that is allowed: below, reading is cheaper.
    private static let mappedSize = 256 << 10
    private static let chunk = 1 << 20
    /// The largest buffer allocated from the file's reported size.
    private static let trustedSize = 256 << 20

    let options: Data.ReadingOptions
    let limit: Int
    let context: StepContext

    func data(of url: URL) throws -> Data {
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
        return options.contains(.alwaysMapped)
            || options.contains(.mappedIfSafe) && size >= Self.mappedSize
    }

    private func readToEnd(_ file: OpenFile, expecting size: Int) throws -> Data {
        // A file may announce far more than it has.
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
