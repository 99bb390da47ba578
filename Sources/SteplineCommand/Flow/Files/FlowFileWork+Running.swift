import Foundation
import SteplineJSON
import SteplineSteps
import SteplineSupport

extension FlowFileWork {
    /// Executes the action for each path in order; completed ones remain after a failure.
    func run(in scope: FlowScope) throws {
        let target = try target.map { try Self.texts($0, scope) }
        if let target, target.count != 1 { throw FlowError("to wants one path") }
        let texts = try places.flatMap { place in
            try Self.texts(place, scope).map { (text: $0, isComputed: place.isComputed) }
        }
        let goesInto = target?[0].ends(with: "/") == true
        if texts.count > 1, target != nil, !goesInto {
            throw FlowError("\(texts.count) files can go into a folder only: to must end in /")
        }
        for (text, isComputed) in texts {
            try scope.checkCancellation()
            try run(text, isComputed, target?[0], in: scope)
        }
    }

    private func run(_ text: String, _ isComputed: Bool, _ target: String?, in scope: FlowScope) throws {
        let folder = scope.setting.folder
        switch act {
        case .makeFolder:
            try FolderMaker.make(folder.resolveForWriting(text).path(percentEncoded: false))
        case .delete:
            let path = try folder.resolveEntry(text, isComputed: isComputed)
            try FileRemoval(path, takesFolders: takesFolders, isRequired: isRequired).run()
        case .copy, .move:
            let isMove = if case .move = act { true } else { false }
            let path =
                try isMove
                ? folder.resolveEntry(text, isComputed: isComputed)
                : folder.resolve(text).path(percentEncoded: false)
            var place = target ?? ""
            if place.ends(with: "/") { place += text.lastName }
            let goal = try folder.resolveForWriting(place).path(percentEncoded: false)
            let transfer = FileTransfer(
                from: path, to: goal, replaces: replaces, isRequired: isRequired,
                checkCancellation: scope.checkCancellation)
            if isMove { try transfer.move() } else { try transfer.copy() }
        }
    }

    /// Returns the path, or the paths of a list.
    private static func texts(_ template: FlowTemplate, _ scope: FlowScope) throws -> [String] {
        let evaluator = scope.evaluator()
        if let formula = template.onlyFormula,
            let list = try evaluator.value(of: formula).array
        {
            return try list.map { element in
                guard let text = element.string, !text.isEmpty else {
                    throw FlowError("a path is a text, not \(element.article)")
                }
                return text
            }
        }
        let text = try scope.path(template)
        guard !text.isEmpty else { throw FlowError("there is no path") }
        return [text]
    }
}

extension FlowTemplate {
    /// Whether a formula determines the beginning of the path.
    fileprivate var isComputed: Bool { if case .formula? = parts.first { true } else { false } }
}
