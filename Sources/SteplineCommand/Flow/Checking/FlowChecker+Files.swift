import Foundation

extension FlowChecker {
    /// Checks the folders in which files are searched.
    mutating func check(_ finding: FlowFinding) {
        for template in finding.patterns {
            // Invalid patterns were reported by the reader.
            guard let text = template.literal, let patterns = try? PathPattern.all(text) else { continue }
            for (base, rest) in patterns.map(\.base) where !base.isEmpty {
                checkPath(base, template.offset, isWritten: false)
                checkIsThere(base, template.offset, rest.isEmpty ? "file" : "folder")
            }
        }
    }

    /// Warns of a task that reads a file written by another task, if neither depends on the other.
    ///
    /// The task could read the old file or the new one, depending on timing.
    mutating func checkOrderOfFiles() {
        guard let folder else { return }
        func path(_ template: FlowTemplate) -> String? {
            template.literal.flatMap { FlowAddress.scheme(of: $0) == nil ? $0 : nil }
                .flatMap { try? folder.resolve($0).path(percentEncoded: false) }
        }
        var makers: [String: [String]] = [:]
        for task in file.tasks {
            for made in task.madeFiles.compactMap(path) { makers[made, default: []].append(task.name) }
        }
        for task in file.tasks where !(task.runs.isLast && task.after.isEmpty) {
            for place in task.reads + task.steps.flatMap(\.readFiles) {
                guard let names = path(place).flatMap({ makers[$0] }),
                    !names.contains(where: { $0 == task.name || areOrdered($0, task.name) }),
                    let maker = names.first
                else { continue }
                issues.warn(
                    .missingFile, at: place.offset,
                    "\"\(maker)\" makes this file, and \"\(task.name)\" may read it before or after",
                    hint: "add \"\(maker)\" to its after")
            }
        }
    }

    /// Returns whether one of two tasks depends on the other, directly or indirectly.
    private func areOrdered(_ first: String, _ second: String) -> Bool {
        comes(first, after: second) || comes(second, after: first)
    }

    private func comes(_ task: String, after other: String) -> Bool {
        guard tasks[task].map({ $0.runs.isLast && $0.after.isEmpty }) != true else { return true }
        var known: Set<String> = [task]
        var toVisit = [task]
        while let next = toVisit.popLast() {
            for name in tasks[next]?.after.map(\.name) ?? [] {
                if name == other { return true }
                if known.insert(name).inserted { toVisit.append(name) }
            }
        }
        return false
    }

    mutating func check(_ append: FlowAppend, _ step: FlowStep, _ kind: FlowKind) {
        if kind == .nothing { missing(step) }
        if kind == .document || kind == .bytes && append.format.map({ $0 != .text }) ?? false {
            unparsed(step, kind)
        }
        guard let path = append.place.literal else { return }
        checkPath(path, append.place.offset, isWritten: true)
        if append.format == nil, path.lowercased().hasSuffix(".json") {
            issues.add(.wrongValue, at: append.place.offset, FlowAppend.wholeJSON)
        }
    }

    mutating func check(_ work: FlowFileWork) {
        for place in work.places {
            guard let path = place.literal else { continue }
            switch work.act {
            case .makeFolder: checkPath(path, place.offset, isWritten: true)
            case .copy: checkPath(path, place.offset, isWritten: false)
            case .move, .delete: checkEntry(path, place.offset)
            }
            if case .makeFolder = work.act { continue }
            if work.isRequired { checkIsThere(path, place.offset, "file") }
        }
        if let target = work.target, let path = target.literal {
            checkPath(path, target.offset, isWritten: true)
        }
    }

    private mutating func checkEntry(_ path: String, _ offset: Int) {
        guard let folder else { return }
        tellRefusal(at: offset) { _ = try folder.resolveEntry(path, isComputed: false) }
    }
}
