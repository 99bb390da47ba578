import Foundation
import SteplineSteps
import SteplineSupport

/// Finds the files that match patterns, folder by folder.
///
/// The cost is proportional to the contents of all folders that a pattern passes through. Links to folders are followed
/// only on request. Each linked folder is visited once per remaining pattern, so that cycles end.
struct FlowFileSearch {
    private struct Place {
        /// The resolved path.
        let path: String
        /// The path as a workflow writes it.
        let written: String
        let rest: ArraySlice<PathPattern.Part>
        /// Whether the path leads through a link that the pattern doesn't name.
        let isAfterLink: Bool
    }

    /// A folder with the rest of the pattern, to detect repeated visits.
    private struct Visit: Hashable {
        let device: UInt64
        let file: UInt64
        let rest: ArraySlice<PathPattern.Part>

        init(_ status: stat, _ rest: ArraySlice<PathPattern.Part>) {
            #if canImport(Darwin)
                // Darwin's device numbers are signed, and those of some mounts are negative.
                device = UInt64(truncatingIfNeeded: status.st_dev)
            #else
                device = UInt64(status.st_dev)
            #endif
            file = UInt64(status.st_ino)
            self.rest = rest
        }
    }

    private let folder: FlowFolder
    private let followsLinks: Bool
    private let checkCancellation: () throws -> Void
    private var found: Set<ExactText> = []
    private var toVisit: [Place] = []
    private var afterLinks: [Place] = []
    private var visited: Set<Visit> = []

    init(_ folder: FlowFolder, followsLinks: Bool, checkCancellation: @escaping () throws -> Void) {
        self.folder = folder
        self.followsLinks = followsLinks
        self.checkCancellation = checkCancellation
    }

    /// Returns the paths of all found files, each once, sorted by UTF-8 bytes.
    static func files(
        by patterns: [PathPattern], in folder: FlowFolder, followsLinks: Bool,
        checkCancellation: @escaping () throws -> Void
    ) throws -> [String] {
        var search = FlowFileSearch(
            folder, followsLinks: followsLinks, checkCancellation: checkCancellation)
        for pattern in patterns { try search.find(pattern) }
        return search.found.sorted().map(\.text)
    }

    private mutating func find(_ pattern: PathPattern) throws {
        let (base, rest) = pattern.base
        // Links in the written part of a pattern are always followed.
        let path = try folder.resolve(base.isEmpty ? "." : base).path(percentEncoded: false)
        guard !rest.isEmpty else {
            var status = stat()
            if stat(path, &status) == 0, status.isRegularFile { found.insert(ExactText(base)) }
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.system("open", path) }
        visited = []
        toVisit = [Place(path: path, written: base, rest: rest, isAfterLink: false)]
        // Visit places without links first, so that a file gets its direct path.
        while let place = toVisit.popLast() ?? afterLinks.popLast() {
            try checkCancellation()
            if followsLinks {
                guard stat(place.path, &status) == 0, visited.insert(Visit(status, place.rest)).inserted
                else { continue }
            }
            try visit(place)
        }
    }

    private mutating func visit(_ place: Place) throws {
        guard let part = place.rest.first else { return }
        let after = place.rest.dropFirst()
        switch part {
        case .name(let name): try take(name, in: place, after)
        case .wild(let tokens):
            for name in try names(in: place.path) where PathPattern.fits(name, tokens) {
                try take(name, in: place, after)
            }
        case .folders:
            let isLast = after.isEmpty
            // `**` matches no folders.
            if !isLast { proceed(place.path, place.written, after, isAfterLink: place.isAfterLink) }
            for name in try names(in: place.path) where !name.begins(with: ".") {
                try take(name, in: place, isLast ? [] : nil)
            }
        }
    }

    /// Adds a file or continues in a folder; `after` is the rest of the pattern, nil to keep the whole pattern and
    /// ignore files.
    private mutating func take(
        _ name: String, in place: Place, _ after: ArraySlice<PathPattern.Part>?
    ) throws {
        let isBare = place.written.isEmpty || place.written == "/"
        let written = isBare ? place.written + name : "\(place.written)/\(name)"
        var path = place.path == "/" ? "/\(name)" : "\(place.path)/\(name)"
        var status = stat()
        // The file was deleted since the folder was read.
        guard lstat(path, &status) == 0 else { return }
        let isLink = status.isLink
        if isLink {
            guard let target = try destination(of: written) else { return }
            path = target
            guard stat(path, &status) == 0 else { return }
        }
        if status.isRegularFile {
            if after?.isEmpty == true { found.insert(ExactText(written)) }
            return
        }
        let isAnyDepth = place.rest.first == .folders
        guard status.st_mode & S_IFMT == S_IFDIR, let rest = isAnyDepth ? place.rest : after, !rest.isEmpty,
            followsLinks || !isLink
        else { return }
        proceed(path, written, rest, isAfterLink: place.isAfterLink || isLink)
    }

    private mutating func proceed(
        _ path: String, _ written: String, _ rest: ArraySlice<PathPattern.Part>, isAfterLink: Bool
    ) {
        let place = Place(path: path, written: written, rest: rest, isAfterLink: isAfterLink)
        if isAfterLink { afterLinks.append(place) } else { toVisit.append(place) }
    }

    /// Returns the target of a link; nil if it doesn't exist or leaves the folder without permission.
    private func destination(of link: String) throws -> String? {
        do {
            return try folder.resolve(link).path(percentEncoded: false)
        } catch let refusal as FlowFolder.Refusal {
            guard followsLinks, !refusal.leadsNowhere else { return nil }
            throw refusal
        }
    }

    /// Returns the names in a folder, sorted by UTF-8 bytes.
    private func names(in path: String) throws -> [String] {
        guard let list = opendir(path) else {
            // The folder was deleted meanwhile.
            if errno == ENOENT { return [] }
            throw FileError.system("open", path)
        }
        defer { closedir(list) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(list) else {
                guard errno == 0 else { throw FileError.system("read", path) }
                return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                throw FileError(.notRegular, path, "the name of a file in it is no UTF-8")
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }
}

extension FlowFinding {
    /// Returns the list of the files that exist now.
    func paths(in scope: FlowScope) throws -> [String] {
        let evaluator = scope.evaluator()
        var patterns: [PathPattern] = []
        for template in self.patterns {
            let text = try template.filled(by: evaluator) { value, before, formula in
                let name = try FlowAddress.fillPath(
                    value, after: before, isForeign: scope.isForeign(formula))
                return before.isEmpty ? name : PathPattern.escaped(name)
            }
            do {
                patterns += try PathPattern.all(text)
            } catch {
                throw FlowError("the pattern \"\(text)\": \(error.message)")
            }
        }
        let found = try FlowFileSearch.files(
            by: patterns, in: scope.setting.folder, followsLinks: followsLinks,
            checkCancellation: scope.checkCancellation)
        // A leading dash would make a program read the path as an option.
        return found.map { $0.begins(with: "-") ? "./" + $0 : $0 }
    }
}
