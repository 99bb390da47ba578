import Foundation

extension FlowChecker {
    /// Checks where files are looked for.
    mutating func check(_ finding: FlowFinding) {
        for template in finding.patterns {
            // What is no pattern has been told already.
            guard let text = template.literal, let patterns = try? PathPattern.all(text) else { continue }
            for (base, rest) in patterns.map(\.base) where !base.isEmpty {
                checkPath(base, template.offset, isWritten: false)
                checkIsThere(base, template.offset, rest.isEmpty ? "file" : "folder")
            }
        }
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
            if !work.ifThere { checkIsThere(path, place.offset, "file") }
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
