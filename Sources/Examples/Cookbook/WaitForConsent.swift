import Stepline

/// Waits for a decision from outside, without occupying a thread.
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

        // A button, a message or another process may call this.
        consent.fulfill(with: answer)
        try await workflow.run()
    }
}
