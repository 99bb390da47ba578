import Foundation
import SteplineJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConcurrencyTests {
    @Test func `many documents on several threads, and one document on all of them`() async throws {
        let count = Chance.isSoak ? 1000 : 200
        let members = (0..<200).map { "\"key \($0)\":[\($0),{\"n\":\"\($0)\"}]" }
        let text = "{" + members.joined(separator: ",") + "}"
        let shared = try JSON(parsing: text)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    let own = try JSON(parsing: text)
                    let key = "key \(number % 200)"
                    return own == shared && shared[key]?[0]?.int == number % 200
                        && own[key]?[1]?["n"]?.string != nil ? 1 : 0
                }
            }
            var right = 0
            for try await one in group { right += one }
            #expect(right == count)
        }
    }
}
