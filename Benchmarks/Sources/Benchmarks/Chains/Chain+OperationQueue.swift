import Foundation

/// The same chain as it is written with Foundation alone: operations that depend on each other, and share a box.
final class AddOneOperation: Operation, @unchecked Sendable {
    final class Box: @unchecked Sendable { var number = 0 }
    let box: Box

    init(_ box: Box) { self.box = box }

    override func main() { box.number &+= 1 }
}

/// Runs so many chains in one queue, `batch` of them at once: the queue gets slower the more it holds.
func runOperationQueue(_ count: Int, steps: Int, batch: Int = 50) {
    let queue = OperationQueue()
    var left = count
    while left > 0 {
        var operations: [Operation] = []
        for _ in 0..<min(batch, left) {
            let box = AddOneOperation.Box()
            var previous: AddOneOperation?
            for _ in 0..<steps {
                let operation = AddOneOperation(box)
                if let previous { operation.addDependency(previous) }
                operations.append(operation)
                previous = operation
            }
        }
        queue.addOperations(operations, waitUntilFinished: true)
        left -= batch
    }
}
