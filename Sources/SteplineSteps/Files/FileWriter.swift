import Foundation
import SteplineRequests

/// Writes a file so that a failure leaves no incomplete file.
///
/// An existing file that isn't replaced atomically is the exception: see ``FileSaveOptions/isAtomic``.
package struct FileWriter {
    private static let chunk = 4 << 20

    private let place: FilePlace
    private let options: FileSaveOptions
    private let checkCancellation: () throws -> Void

    package init(
        _ path: String, _ options: FileSaveOptions, checkCancellation: @escaping () throws -> Void
    ) throws {
        place = try FileError.inCalls {
            try FilePlace(
                path, makingFolder: options.createsDirectories, followingLinks: options.followsLinks)
        }
        self.options = options
        self.checkCancellation = checkCancellation
    }

    func write(_ data: Data) throws { try write { try writeAll(data, to: $0) } }

    /// Writes the content produced by `fill`.
    package func write(_ fill: (OpenFile) throws -> Void) throws {
        try FileError.inCalls {
            let old = try place.existingStatus()
            if old != nil, !options.replaces { throw alreadyExists }
            if options.isAtomic {
                try replace(old, fill)
            } else {
                try overwrite(fill)
            }
            if options.sync == .fileAndDirectory { try place.folder.sync() }
        }
    }

    /// Writes a temporary neighbour, then renames it to the file.
    private func replace(_ old: stat?, _ fill: (OpenFile) throws -> Void) throws {
        let (name, file) = try place.makeTemporary()
        do {
            if let old { try file.setMode(old.permissions) }
            try fill(file)
            try finish(file)
            try file.settle()
            try checkCancellation()
            try moveIntoPlace(name)
            try file.close()
        } catch {
            place.remove(name)
            throw error
        }
    }

    private func moveIntoPlace(_ name: String) throws {
        guard !options.replaces else { return try place.moveIntoPlace(name) }
        do {
            try place.moveIntoFreePlace(name)
        } catch let error as SystemCallError where error.number == EEXIST {
            throw alreadyExists
        }
    }

    private func overwrite(_ fill: (OpenFile) throws -> Void) throws {
        let isNew: Bool
        let file: OpenFile
        do {
            file = try place.open(nil, O_WRONLY | O_CREAT | O_EXCL)
            isNew = true
        } catch let error as SystemCallError where error.number == EEXIST {
            guard options.replaces else { throw alreadyExists }
            file = try place.open(nil, O_WRONLY | O_TRUNC)
            isNew = false
        }
        do {
            try fill(file)
            try finish(file)
            try file.close()
        } catch {
            if isNew { place.remove() }
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
    }

    private func finish(_ file: OpenFile) throws {
        if options.sync != .none { try file.sync() }
    }

    private var alreadyExists: FileError { FileError(.exists, place.path, "exists already") }
}

extension FileError {
    /// Runs a closure and converts errors of system calls to `FileError`.
    static func inCalls<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SystemCallError {
            throw FileError(error)
        }
    }
}
