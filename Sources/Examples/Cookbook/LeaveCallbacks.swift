import Foundation
import Stepline

/// Migrates from completion blocks to a pipeline by wrapping the existing functions.
enum LeaveCallbacks {
    // The existing functions.
    typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

    static func findUser(_ name: String, completion: @escaping Completion<Int>) {
        DispatchQueue.global().async { completion(.success(name.count)) }
    }

    static func findOrders(_ user: Int, completion: @escaping Completion<[String]>) {
        DispatchQueue.global().async { completion(.success((1...user).map { "order \($0)" })) }
    }

    // First, wrap each function in a step.
    struct FindUser: StepBody {
        func process(_ name: String) async throws -> Int {
            try await withCheckedThrowingContinuation { done in findUser(name) { done.resume(with: $0) } }
        }
    }

    struct FindOrders: StepBody {
        func process(_ user: Int) async throws -> [String] {
            try await withCheckedThrowingContinuation { done in findOrders(user) { done.resume(with: $0) } }
        }
    }

    // Then replace the nested callbacks by a pipeline, with timeouts and retries.
    static func run(print: Print) async throws {
        let orders = try await Pipeline.run {
            BlockStep { () in "Ada" }
            FindUser().step().timeout(.seconds(10))
            FindOrders().step().retrying(.exponential())
        }
        print(orders.joined(separator: ", "))
    }
}
