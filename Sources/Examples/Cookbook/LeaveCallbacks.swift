import Foundation
import Stepline

/// From completion blocks to a chain: what calls back is wrapped where it stands, and stays as it is.
enum LeaveCallbacks {
    // What is there.
    typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

    static func findUser(_ name: String, completion: @escaping Completion<Int>) {
        DispatchQueue.global().async { completion(.success(name.count)) }
    }

    static func findOrders(_ user: Int, completion: @escaping Completion<[String]>) {
        DispatchQueue.global().async { completion(.success((1...user).map { "order \($0)" })) }
    }

    // First: each function as a step.
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

    // Then: the pyramid as a line, with all that a line can do.
    static func run(print: Print) async throws {
        let orders = try await Pipeline.run {
            BlockStep { () in "Ada" }
            FindUser().step().timeout(.seconds(10))
            FindOrders().step().retrying(.exponential())
        }
        print(orders.joined(separator: ", "))
    }
}
