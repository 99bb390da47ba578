import Stepline

/// A graph of tasks, each of which receives the results of its prerequisites as typed parameters.
enum JoinResults {
    static func run(print: Print) async throws {
        let workflow = Workflow("breakfast")
        let eggs = try workflow.add("eggs") { 6 }
        let guests = try workflow.add("guests") { ["Ada", "Grace", "Edsger"] }
        let share = try workflow.add("share", after: eggs, guests) { eggs, guests in eggs / guests.count }
        let plates = try workflow.add("plates", after: guests, share) { guests, share in
            guests.map { "\($0): \(share) eggs" }
        }
        try await workflow.run()
        for plate in try await plates.value { print(plate) }
    }
}
