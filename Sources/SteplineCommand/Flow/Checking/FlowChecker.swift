import Foundation
import SteplineJSON

/// Finds all errors of a workflow file that are detectable before a run.
///
/// Checks names, dependencies, the kinds of values between steps, formulas, paths, files, secrets and pools. A value on
/// one thread: `check` runs all checks once and adds to `issues`. The task order comes first, since the kind of each
/// task's result depends on its prerequisites. Begin reading with `check` and `FlowChecker+Chains.swift`.
struct FlowChecker {
    let file: FlowFile
    let folder: FlowFolder?
    let isOffline: Bool
    /// Whether another file runs this file.
    let isInner: Bool
    var issues: FlowIssues

    let tasks: [String: FlowTask]
    /// The kind of each task's result, filled in topological order.
    var kinds: [String: FlowKind] = [:]
    var usedParameters: Set<String> = []
    var usedSecrets: Set<String> = []
    /// The tasks that save to each path as written.
    var savedPaths: [String: FlowReference] = [:]

    /// The known paths of files that tasks create.
    let madePaths: Set<String>
    /// The folders around these paths.
    let madeFolders: Set<String>
    /// Whether a task may create unknown files: it runs a program or computes a name.
    let makesAnyFile: Bool

    init(_ file: FlowFile, folder: FlowFolder?, isOffline: Bool, isInner: Bool, issues: FlowIssues) {
        self.file = file
        self.folder = folder
        self.isOffline = isOffline
        self.isInner = isInner
        self.issues = issues
        madePaths = Self.madePaths(file, folder)
        madeFolders = Set(madePaths.flatMap { $0.withFolders.dropFirst() })
        makesAnyFile = file.tasks.contains { task in
            task.flow != nil || task.writes.contains { $0.literal == nil }
                || task.steps.contains(where: \.makesUnknownFiles)
        }
        tasks = Dictionary(file.tasks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds the issues of a file, and returns its tasks in topological order.
    ///
    /// Paths are checked only if a folder is given.
    @discardableResult
    static func check(
        _ file: FlowFile, folder: FlowFolder?, isOffline: Bool = false, isInner: Bool = false,
        _ issues: inout FlowIssues
    ) -> [FlowTask] {
        var checker = FlowChecker(
            file, folder: folder, isOffline: isOffline, isInner: isInner, issues: issues)
        checker.checkPools()
        checker.checkNetwork()
        checker.checkSecrets()
        checker.checkNames()
        for task in file.tasks { checker.checkPrerequisites(of: task) }
        let ordered = checker.inOrder()
        for task in ordered {
            checker.checkChain(of: task)
            checker.checkFiles(of: task)
        }
        checker.checkOrderOfFiles()
        checker.checkResult()
        checker.checkFormulas()
        checker.checkUnused()
        issues = checker.issues
        return ordered
    }

    private mutating func checkPools() {
        let capacities = Dictionary(file.pools.map { ($0.name, $0.capacity) }, uniquingKeysWith: { $1 })
        for policies in [file.defaults] + file.tasks.map(\.policies) {
            for (pool, weight) in policies.pools {
                guard let capacity = capacities[pool.name] else {
                    issues.add(
                        .unknownPool, at: pool.offset, "there is no pool \"\(pool.name)\"",
                        hint: issues.guess(pool.name, among: capacities.keys.sorted())
                            ?? "add pools: { \(pool.name): 4 } to the file")
                    continue
                }
                if weight > capacity {
                    issues.add(
                        .wrongValue, at: pool.offset,
                        "takes \(weight) slots of pool \"\(pool.name)\", which has \(capacity)")
                }
            }
        }
    }

    private mutating func checkUnused() {
        // A misspelt use is an error already, so a warning would mislead.
        guard !issues.hasErrors else { return }
        for parameter in file.parameters where !usedParameters.contains(parameter.name) {
            issues.warn(.unused, at: parameter.offset, "the parameter \"\(parameter.name)\" is never used")
        }
        for secret in file.secrets where !usedSecrets.contains(secret.name) {
            issues.warn(.unused, at: secret.offset, "the secret \"\(secret.name)\" is never used")
        }
    }
}
