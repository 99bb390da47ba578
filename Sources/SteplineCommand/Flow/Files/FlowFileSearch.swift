import Foundation
import SteplineSteps
import SteplineSupport

/// Finds the files that patterns stand for, folder by folder.
///
/// O(what lies in the folders that a pattern leads through). Links are not gone through unless that is wanted; each
/// folder that a link leads to is gone through once, so that links in a circle end.
struct FlowFileSearch {
    private struct Place {
        /// Where it really is.
        let path: String
        /// How a flow writes it.
        let written: String
        let rest: ArraySlice<PathPattern.Part>
        /// Whether a link leads there that a pattern doesn't name.
        let isBehindLink: Bool
    }

    /// A folder, and how much of a pattern was left there.
    private struct Visit: Hashable {
        let device: UInt64
        let file: UInt64
        let rest: ArraySlice<PathPattern.Part>

        init(_ status: stat, _ rest: ArraySlice<PathPattern.Part>) {
            device = UInt64(status.st_dev)
            file = UInt64(status.st_ino)
            self.rest = rest
        }
    }

    private let folder: FlowFolder
    private let followsLinks: Bool
    private let checkCancellation: () throws -> Void
    private var found: Set<ExactText> = []
    private var toVisit: [Place] = []
    private var behindLinks: [Place] = []
    private var visited: Set<Visit> = []

    init(_ folder: FlowFolder, followsLinks: Bool, checkCancellation: @escaping () throws -> Void) {
        self.folder = folder
        self.followsLinks = followsLinks
        self.checkCancellation = checkCancellation
    }

    /// The paths of all files found, each once, in the order of their bytes.
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
        // What is written may lead through links, as everywhere.
        let path = try folder.resolve(base.isEmpty ? "." : base).path(percentEncoded: false)
        guard !rest.isEmpty else {
            var status = stat()
            if stat(path, &status) == 0, status.isRegularFile { found.insert(ExactText(base)) }
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.system("open", path) }
        visited = []
        toVisit = [Place(path: path, written: base, rest: rest, isBehindLink: false)]
        // What lies there without a link is found without one.
        while let place = toVisit.popLast() ?? behindLinks.popLast() {
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
            // None of the folders.
            if !isLast { goOn(place.path, place.written, after, isBehindLink: place.isBehindLink) }
            for name in try names(in: place.path) where !name.begins(with: ".") {
                try take(name, in: place, isLast ? [] : nil)
            }
        }
    }

    /// Notes a file, or goes on in a folder; `after` is what is left of the pattern then, nil for all of it, of which
    /// files are no part.
    private mutating func take(
        _ name: String, in place: Place, _ after: ArraySlice<PathPattern.Part>?
    ) throws {
        let isBare = place.written.isEmpty || place.written == "/"
        let written = isBare ? place.written + name : "\(place.written)/\(name)"
        var path = place.path == "/" ? "/\(name)" : "\(place.path)/\(name)"
        var status = stat()
        // What has gone since the folder was read isn't there.
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
        goOn(path, written, rest, isBehindLink: place.isBehindLink || isLink)
    }

    private mutating func goOn(
        _ path: String, _ written: String, _ rest: ArraySlice<PathPattern.Part>, isBehindLink: Bool
    ) {
        let place = Place(path: path, written: written, rest: rest, isBehindLink: isBehindLink)
        if isBehindLink { behindLinks.append(place) } else { toVisit.append(place) }
    }

    /// Where a link leads; nil if that is nowhere, or out of the folder though nobody has asked for it.
    private func destination(of link: String) throws -> String? {
        do {
            return try folder.resolve(link).path(percentEncoded: false)
        } catch let refusal as FlowFolder.Refusal {
            guard followsLinks, !refusal.leadsNowhere else { return nil }
            throw refusal
        }
    }

    /// The names in a folder, in the order of their bytes.
    private func names(in path: String) throws -> [String] {
        guard let list = opendir(path) else {
            // It has gone, or has never been one.
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
    /// The list of the files that are there now.
    func paths(in scope: FlowScope) throws -> [String] {
        let evaluator = scope.evaluator()
        var patterns: [PathPattern] = []
        for template in self.patterns {
            let text = try template.filled(by: evaluator) { value, before, formula in
                let name = try FlowAddress.fillPath(
                    value, behind: before, isForeign: scope.isForeign(formula))
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
        // No program takes such a path for an option.
        return found.map { $0.begins(with: "-") ? "./" + $0 : $0 }
    }
}
