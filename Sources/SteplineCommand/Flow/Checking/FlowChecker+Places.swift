import Foundation
import SteplineSupport

extension FlowChecker {
    mutating func check(_ load: FlowLoad, _ step: FlowStep) {
        guard let place = load.place.literal, !place.isEmpty else {
            // The scheme may be known even if the rest is computed.
            if case .text(let beginning)? = load.place.parts.first, isOffline {
                checkOffline(FlowAddress.scheme(of: beginning), load.place.offset)
            }
            return
        }
        guard let scheme = FlowAddress.scheme(of: place) else {
            checkPath(place, load.place.offset, isWritten: false)
            checkIsThere(place, load.place.offset, "file")
            if load.method != nil || load.body != nil || !load.headers.isEmpty || load.isAnswer {
                issues.add(
                    .wrongValue, at: step.offset,
                    "method, headers, body and answer have no meaning for a file")
            }
            return
        }
        if !FlowAddress.schemes.contains(scheme) {
            issues.add(
                .wrongValue, at: load.place.offset, "a workflow file can't load \(scheme): URLs",
                hint: issues.guess(scheme, among: FlowAddress.schemes.sorted())
                    ?? (scheme == "file" ? "write the path alone" : nil))
        } else if scheme != "data", FlowAddress.url(place) == nil {
            issues.add(.wrongValue, at: load.place.offset, "\"\(place)\" is no URL")
        }
        checkOffline(scheme, load.place.offset)
    }

    mutating func check(_ pages: FlowPages, _ step: FlowStep) {
        let place = pages.load.place
        if let literal = place.literal, !literal.isEmpty,
            !["http", "https"].contains(FlowAddress.scheme(of: literal) ?? "")
        {
            issues.add(.wrongValue, at: place.offset, "pages are loaded by http or https")
        } else {
            check(pages.load, step)
        }
    }

    mutating func checkNetwork() {
        guard let network = file.network else { return }
        for path in [network.authorities, network.certificate, network.key].compactMap(\.self) {
            checkPath(path.path, path.offset, isWritten: false)
        }
        // A key without a certificate was reported already.
        let key = network.certificate == nil ? nil : network.key
        for path in [network.authorities, network.certificate, key].compactMap(\.self) {
            checkIsThere(path.path, path.offset, "file")
        }
        var written = [network.cache].compactMap(\.self)
        if case .file(let file) = network.cookies { written.append(file) }
        for path in written { checkPath(path.path, path.offset, isWritten: true) }
    }

    /// Warns of a file that doesn't exist and that no task creates.
    mutating func checkIsThere(_ path: String, _ offset: Int, _ what: String) {
        guard let folder, !makesAnyFile, let url = try? folder.resolve(path),
            !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)), !isMade(url)
        else { return }
        issues.warn(.missingFile, at: offset, "there is no \(what) \"\(path)\", and no task makes one")
    }

    /// Returns whether a task creates the file, a folder around it, or something inside it.
    private func isMade(_ url: URL) -> Bool {
        let path = url.path(percentEncoded: false)
        return madeFolders.contains(path) || path.withFolders.contains { madePaths.contains($0) }
    }

    /// Returns the known paths of the files that tasks create.
    static func madePaths(_ file: FlowFile, _ folder: FlowFolder?) -> Set<String> {
        let templates = file.tasks.flatMap(\.madeFiles)
        return Set(
            templates.compactMap(\.literal)
                .compactMap { try? folder?.resolve($0).path(percentEncoded: false) })
    }

    /// Checks the declared files of a task, whose paths must be known before the run.
    mutating func checkFiles(of task: FlowTask) {
        for (paths, isWritten) in [(task.reads, false), (task.writes, true)] {
            for path in paths {
                for reference in path.references {
                    guard case .parameter(let name) = reference.name else {
                        issues.add(
                            .unknownName, at: reference.offset,
                            "only parameters can be used here: the paths must be known before the run"
                        )
                        continue
                    }
                    checkParameter(name, reference.offset)
                }
                if let literal = path.literal, !literal.isEmpty {
                    checkPath(literal, path.offset, isWritten: isWritten)
                    if !isWritten { checkIsThere(literal, path.offset, "file") }
                }
            }
        }
    }

    private mutating func checkOffline(_ scheme: String?, _ offset: Int) {
        guard isOffline, let scheme, scheme != "data" else { return }
        issues.add(.offline, at: offset, "the network is out of reach with --offline")
    }

    mutating func checkPath(_ path: String, _ offset: Int, isWritten: Bool) {
        guard let folder else { return }
        tellRefusal(at: offset) {
            _ = try isWritten ? folder.resolveForWriting(path) : folder.resolve(path)
        }
    }

    mutating func tellRefusal(at offset: Int, _ resolve: () throws -> Void) {
        do {
            try resolve()
        } catch let refusal as FlowFolder.Refusal {
            issues.add(.outside, at: offset, refusal.message, hint: refusal.hint)
        } catch {
            issues.add(.outside, at: offset, "\(error)")
        }
    }
}

extension String {
    /// The path and the paths of all folders around it.
    var withFolders: some Sequence<String> {
        sequence(first: self) { path in
            path.utf8.count > 1 ? path.outerFolder : nil
        }
    }
}

extension FlowTask {
    /// The files that the task's steps create, and its declared outputs.
    var madeFiles: [FlowTemplate] { writes + steps.flatMap(\.madeFiles) }
}
