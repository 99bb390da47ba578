import Stepline

/// A task that somebody else decides: the workflow waits for it, and holds no thread.
enum WaitForConsent {
    static func run(answer: Bool, print: @escaping Print) async throws {
        let workflow = Workflow("order")
        let draft = try workflow.add("draft") { "four pancakes" }
        let consent = try workflow.addCondition("consent", of: Bool.self)
        try workflow.add("send", after: draft, consent) { draft, consent in
            print(consent ? "sent: \(draft)" : "not sent")
        }
        try workflow.start()
        print("may we send \(try await draft.value)?")

        // From a button, a message, another process.
        consent.fulfill(with: answer)
        try await workflow.run()
    }
}
