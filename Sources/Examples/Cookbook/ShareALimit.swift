import Stepline

/// Shares a limit between two workflows: one oven bakes one thing at a time.
enum ShareALimit {
    static func run(print: Print) async throws {
        let oven = ConcurrencyPool("oven", capacity: 1)
        let (bread, cake) = (Workflow("bread"), Workflow("cake"))
        let baking = TaskOptions(pools: [oven: 1])
        let loaves = try bread.map("loaf", over: 1...20, options: baking) { _ in oven.free }
        let layers = try cake.map("layer", over: 1...3, options: baking) { _ in oven.free }

        async let first = bread.run()
        async let second = cake.run()
        _ = try await (first, second)
        let free = try await loaves.value + layers.value
        print("\(free.count) baked, with \(free.max() ?? 1) places left meanwhile; now \(oven.free)")
    }
}
