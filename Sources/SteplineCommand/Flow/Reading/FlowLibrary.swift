import Foundation
import SteplineJSON
import SteplineSupport

/// The workflow files that a file runs, directly or indirectly, each read once.
///
/// `load` reads the files depth first and detects cycles by the stack of open files. Issues of each file are collected
/// in its `Entry`. `check` then checks the files, and `findForeignValues` propagates foreign parameters to a fixed
/// point.
struct FlowLibrary {
    /// A file of the library.
    struct Entry {
        let source: FlowSource
        var folder: FlowFolder
        /// The parsed file; nil if it has syntax errors.
        let file: FlowFile?
        var issues: FlowIssues
        /// The paths of included files, by task.
        var inclusions: [String: String] = [:]
        /// The number of tasks, including those of included files.
        var count = 0
        /// The depth of nested inclusions, this file included.
        var height = 1
    }

    /// The largest depth of inclusions.
    static let deepest = 16
    /// The largest number of tasks of all files, each counted as often as it runs.
    static let mostTasks = 1_000_000

    /// The files by their paths without links.
    private(set) var entries: [String: Entry] = [:]
    private let read: (URL, String) throws -> FlowSource

    /// Creates a library.
    ///
    /// - Parameter read: Reads a file, given its URL and its name for messages.
    init(read: @escaping (URL, String) throws -> FlowSource) { self.read = read }

    /// Reads all files that a file runs; adds issues with its inclusions.
    ///
    /// Returns the paths of included files by task.
    mutating func load(
        for file: FlowFile, _ source: FlowSource, _ folder: FlowFolder, _ issues: inout FlowIssues
    ) -> [String: String] {
        let path = folder.file ?? ""
        return load(for: file, source, folder, &issues, inside: [(path, source.name)]).inclusions
    }

    var hasErrors: Bool { entries.values.contains { $0.issues.hasErrors } }

    /// Adds issues to a file.
    mutating func add(to path: String, _ find: (inout FlowIssues) -> Void) {
        guard var issues = entries[path]?.issues else { return }
        find(&issues)
        entries[path]?.issues = issues
    }

    /// Prevents steps of all files from overwriting workflow files and other given files.
    mutating func protectFiles(and others: [String]) {
        let paths = Array(entries.keys) + others
        for path in entries.keys { entries[path]?.folder.protect(paths) }
    }

    private mutating func load(
        for file: FlowFile, _ source: FlowSource, _ folder: FlowFolder, _ issues: inout FlowIssues,
        inside stack: [(path: String, name: String)]
    ) -> (inclusions: [String: String], count: Int) {
        var inclusions: [String: String] = [:]
        var count = file.tasks.count
        for task in file.tasks {
            guard let written = task.flow?.path,
                let path = load(written, by: source, folder, &issues, inside: stack)
            else { continue }
            inclusions[task.name] = path
            count += entries[path]?.count ?? 0
            guard count > Self.mostTasks else { continue }
            issues.add(
                .wrongValue, at: written.offset,
                "more than \(Self.mostTasks) tasks, with those of the files that are run")
            break
        }
        return (inclusions, min(count, Self.mostTasks + 1))
    }

    /// Reads an included file if that is permitted; returns its path.
    private mutating func load(
        _ written: FlowPath, by source: FlowSource, _ folder: FlowFolder, _ issues: inout FlowIssues,
        inside stack: [(path: String, name: String)]
    ) -> String? {
        let path: String
        do {
            path = try folder.resolve(written.path).path(percentEncoded: false)
        } catch let refusal as FlowFolder.Refusal {
            issues.add(.outside, at: written.offset, refusal.message, hint: refusal.hint)
            return nil
        } catch {
            issues.add(.outside, at: written.offset, "\(error)")
            return nil
        }
        if let start = stack.firstIndex(where: { $0.path == path }) {
            let circle = (stack[start...].map(\.name) + [stack[start].name]).joined(separator: " runs ")
            issues.add(
                .cycle, at: written.offset,
                stack.count - start == 1 ? "a file can't run itself" : "a cycle: \(circle)")
            return nil
        }
        guard stack.count + (entries[path]?.height ?? 1) <= Self.deepest else {
            issues.add(
                .wrongValue, at: written.offset,
                "more than \(Self.deepest) files that run each other, one inside the other")
            return nil
        }
        guard entries[path] == nil else { return path }
        let name = Self.name(of: written.path, beside: source.name)
        let inner: FlowSource
        guard FileManager.default.fileExists(atPath: path) else {
            issues.add(.missingFile, at: written.offset, "there is no file \"\(written.path)\"")
            return nil
        }
        do {
            inner = try read(URL(filePath: path), name)
        } catch {
            issues.add(.missingFile, at: written.offset, ErrorText.line(error))
            return nil
        }
        var found = FlowIssues()
        let file = FlowReader.read(inner, &found)
        var entry = Entry(source: inner, folder: folder.inner(path), file: file, issues: found)
        if let file {
            let loaded = load(
                for: file, inner, entry.folder, &entry.issues, inside: stack + [(path, name)])
            entry.inclusions = loaded.inclusions
            entry.count = loaded.count
            entry.height = 1 + (loaded.inclusions.values.compactMap { entries[$0]?.height }.max() ?? 0)
        }
        entries[path] = entry
        return path
    }

    /// Returns the name of a file for messages, relative like the including file's.
    private static func name(of path: String, beside other: String) -> String {
        guard !PathResolver.isAbsolute(path), let slash = other.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return path
        }
        return other[..<slash] + "/" + path
    }

    /// Checks each file and the parameters of its inclusions.
    mutating func check(isOffline: Bool) -> [String: [FlowTask]] {
        var orders: [String: [FlowTask]] = [:]
        for (path, entry) in entries {
            guard let file = entry.file else { continue }
            var issues = entry.issues
            orders[path] = FlowChecker.check(
                file, folder: entry.folder, isOffline: isOffline, isInner: true, &issues)
            checkArguments(of: file, entry.inclusions, &issues)
            entries[path]?.issues = issues
        }
        return orders
    }

    /// Finds the foreign values of each file, and reports paths that begin with one.
    ///
    /// A parameter is foreign if any including task gives it a foreign value. The sets of foreign parameters only grow,
    /// so the search ends.
    mutating func findForeignValues(
        of outer: ForeignValues, _ inclusions: [String: String], _ orders: [String: [FlowTask]]
    ) -> [String: ForeignValues] {
        var parameters: [String: Set<String>] = [:]
        var found: [String: ForeignValues] = [:]
        var pending = Set(orders.keys)
        func follow(_ values: ForeignValues, _ inclusions: [String: String]) {
            for (task, names) in values.arguments {
                guard let path = inclusions[task], !names.isSubset(of: parameters[path] ?? []) else {
                    continue
                }
                parameters[path, default: []].formUnion(names)
                pending.insert(path)
            }
        }
        follow(outer, inclusions)
        while let path = pending.popFirst() {
            let values = ForeignValues(orders[path] ?? [], parameters: parameters[path] ?? [])
            found[path] = values
            follow(values, entries[path]?.inclusions ?? [:])
        }
        for (path, values) in found { add(to: path) { values.check(orders[path] ?? [], &$0) } }
        return found
    }

    /// Checks the parameters that a file's tasks pass to included files.
    func checkArguments(of file: FlowFile, _ inclusions: [String: String], _ issues: inout FlowIssues) {
        for task in file.tasks {
            guard let inclusion = task.flow, let path = inclusions[task.name], let entry = entries[path],
                let inner = entry.file
            else { continue }
            var meant: Set<String> = []
            for argument in inclusion.parameters {
                guard let parameter = inner.parameter(argument.name) else {
                    issues.add(
                        .parameter, at: argument.offset,
                        "\"\(inclusion.path.path)\" has no parameter \"\(argument.name)\"",
                        hint: Guess.hint(for: argument.name, among: inner.parameters.map(\.name)))
                    let guess = Guess.nearest(to: argument.name, among: inner.parameters.map(\.name))
                    if let guess { meant.insert(guess) }
                    continue
                }
                guard let objection = argument.value.objection(of: parameter, in: file) else { continue }
                issues.add(
                    .wrongType, at: argument.valueOffset, "the parameter \"\(argument.name)\": \(objection)")
            }
            // Invalid parameters were reported already.
            guard inclusion.isWhole else { continue }
            let given = meant.union(inclusion.parameters.map(\.name))
            let missing = inner.parameters.filter { $0.isRequired && !given.contains($0.name) }
            guard let first = missing.first else { continue }
            let names = missing.map { "\"\($0.name)\"" }.joined(separator: ", ")
            issues.add(
                .parameter, at: inclusion.path.offset,
                "\"\(inclusion.path.path)\" wants \(names)", hint: "add with: { \(first.name): … }")
        }
    }
}

extension FlowLiteral {
    /// Returns the reason why a value is invalid for a parameter, as far as it is known before the run.
    fileprivate func objection(of parameter: FlowParameter, in file: FlowFile) -> String? {
        if case .plain(let json) = self { return json.isNull ? nil : parameter.objection(to: json) }
        guard let known = kind(by: file.kind(ofParameter:)), known != .null, known != parameter.kind.value
        else { return nil }
        return "\(known.article) is no \(parameter.kind.rawValue)"
    }
}
