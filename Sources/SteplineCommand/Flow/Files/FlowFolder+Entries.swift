import SteplineSupport

extension FlowFolder {
    /// Returns the path of a file or link to be moved or deleted.
    ///
    /// Links on the way are followed, but not one at the end. Only a literal path may leave the folder, neither a link
    /// nor a computed path.
    func resolveEntry(_ path: String, isComputed: Bool) throws -> String {
        let parts = path.pathNames
        guard let name = parts.last, name != ".", name != ".." else {
            throw Refusal(message: "\"\(path)\" names neither a file nor a folder by its name", hint: nil)
        }
        let before = (PathResolver.isAbsolute(path) ? "/" : "") + parts.dropLast().joined(separator: "/")
        guard let folder = PathResolver.resolve(before.isEmpty ? "." : before, in: root) else {
            throw Refusal(message: "\"\(path)\" leads nowhere", hint: nil)
        }
        let entry = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        try checkAllowed(entry, as: path)
        if !Self.contains(root, entry) {
            guard !isComputed else {
                throw Refusal(
                    message: "\"\(path)\" is outside the workflow's folder, and is computed",
                    hint: "write the folder into the file, as in \"\(folder)/${…}\"")
            }
            guard !Self.contains(root, written(path)) else {
                throw Refusal(
                    message: "a link leads from \"\(path)\" out of the workflow's folder", hint: nil)
            }
        }
        guard !Self.contains(entry, root) else {
            throw Refusal(message: "\"\(path)\" holds the workflow itself", hint: nil)
        }
        guard file.map({ !Self.contains(entry, $0) }) ?? true else {
            throw Refusal(message: "\"\(path)\" is the workflow file itself, or holds it", hint: nil)
        }
        guard !others.contains(where: { Self.contains(entry, $0) }) else {
            throw Refusal(
                message: "\"\(path)\" is a file of the workflow itself, or of its store, or holds one",
                hint: nil)
        }
        return entry
    }

    /// Returns the absolute path without `..`, with links unresolved.
    private func written(_ path: String) -> String {
        var parts: [String] = []
        for part in PathResolver.components(PathResolver.absolute(path, in: root)) {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
