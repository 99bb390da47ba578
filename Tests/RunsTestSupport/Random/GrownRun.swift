package import SteplineWorkflow

/// A workflow with one map that grows: each number finds up to three others, and every even one but 2 is found twice.
package struct GrownRun: Sendable {
    package static let name = "numbers"

    private let size: Int

    /// Makes the run of the numbers from 1 to `size`.
    package init(size: Int) { self.size = size }

    /// The sorted results of the map.
    package var results: [Int] { (1...size).map { 3 * $0 } }

    /// Returns the numbers that a number finds.
    package func found(by number: Int) -> [Int] {
        [2 * number, 2 * number + 1, 2 * number + 2].filter { $0 <= size }
    }

    /// Makes a new workflow.
    ///
    /// - Parameters:
    ///   - began: Called with the name of each body that starts.
    ///   - find: Returns what a number finds, in place of ``found(by:)``.
    package func make(
        _ began: @escaping @Sendable (String) -> Void = { _ in },
        finding find: (@Sendable (Int) async throws -> [Int])? = nil
    ) throws -> (workflow: Workflow, numbers: TaskRef<[Int]>) {
        let workflow = Workflow(Self.name)
        let find = find ?? found
        let numbers = try workflow.grow("number", from: [1], key: { "\($0)" }) { number, more in
            began("number[\(number)]")
            more.add(try await find(number))
            return 3 * number
        }
        return (workflow, numbers)
    }
}
