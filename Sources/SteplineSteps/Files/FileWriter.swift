import Foundation

/// Writes bytes to a file such that a failure leaves no half of it behind.
struct FileWriter {
    private static let chunk = 4 << 20

    private let place: FilePlace
    private let options: FileSaveOptions
    private let checkCancellation: () throws -> Void

    init(_ path: String, _ options: FileSaveOptions, checkCancellation: @escaping () throws -> Void) throws {
        place = try FilePlace(path)
        self.options = options
        self.checkCancellation = checkCancellation
    }

    private var target: String { place.path }

    func write(_ data: Data) throws {
        if options.createsDirectories { try place.makeDirectory() }
        let old = try place.existingStatus()
        if old != nil, !options.replaces { throw alreadyExists }
        if options.isAtomic {
            try replace(old, with: data)
        } else {
            try overwrite(data)
        }
        if options.sync == .fileAndDirectory { try place.syncDirectory() }
    }

    /// Writes a neighbour and moves it into place when it is whole.
    private func replace(_ old: stat?, with data: Data) throws {
        let temporary = place.temporaryNeighbour
        let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
        do {
            if let old { try file.setMode(old.permissions) }
            try writeAll(data, to: file)
            try checkCancellation()
            try moveIntoPlace(temporary)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func moveIntoPlace(_ temporary: String) throws {
        if options.replaces {
            guard rename(temporary, target) == 0 else { throw FileError.system("rename", target) }
            return
        }
        // A link, unlike a rename, fails if the name has been taken meanwhile.
        guard link(temporary, target) == 0 else {
            throw errno == EEXIST ? alreadyExists : FileError.system("link", target)
        }
        unlink(temporary)
    }

    private func overwrite(_ data: Data) throws {
        let isNew: Bool
        let file: OpenFile
        do {
            file = try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL)
            isNew = true
        } catch let error as FileError where error.isExistingFile {
            guard options.replaces else { throw alreadyExists }
            file = try OpenFile(target, O_WRONLY | O_TRUNC)
            isNew = false
        }
        do {
            try writeAll(data, to: file)
        } catch {
            if isNew { unlink(target) }
            throw error
        }
    }

    private func writeAll(_ data: Data, to file: OpenFile) throws {
        try data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                try checkCancellation()
                let end = min(bytes.count, written + Self.chunk)
                written += try file.write(.init(rebasing: bytes[written..<end]))
            }
        }
        if options.sync != .none { try file.sync() }
        try file.close()
    }

    private var alreadyExists: FileError { FileError(.exists, target, "exists already") }
}

extension FileError {
    fileprivate var isExistingFile: Bool { (underlying as? POSIXError)?.code == .EEXIST }
}
