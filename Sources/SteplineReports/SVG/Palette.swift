/// The colours of pictures, for light and dark pages.
struct Palette {
    struct Colors {
        let line: String
        let tint: String
    }

    let ground: String
    let card: String
    let ink: String
    let muted: String
    let rule: String
    /// The background of every second line of a list, and of the selected line.
    let stripe: String
    let chosen: String
    let accent: String
    private let states: [TaskLook: Colors]

    subscript(_ look: TaskLook) -> Colors { states[look] ?? Colors(line: muted, tint: card) }

    static let light = Palette(
        ground: "#faf9f7", card: "#ffffff", ink: "#1f2328", muted: "#666c75", rule: "#dedad3",
        stripe: "#fcfbf9", chosen: "#fbf1e8", accent: "#b4541a",
        states: [
            .pending: Colors(line: "#858b93", tint: "#f4f3f1"),
            .blocked: Colors(line: "#8f5f2c", tint: "#f6eee4"),
            .ready: Colors(line: "#8a6f14", tint: "#faf4dc"),
            .executing: Colors(line: "#2b62b3", tint: "#e7effa"),
            .finished: Colors(line: "#2e7a54", tint: "#e8f4ec"),
            .failed: Colors(line: "#b5362c", tint: "#fcebe8"),
            .cancelled: Colors(line: "#6f5b8a", tint: "#f1edf7"),
        ]
    )

    static let dark = Palette(
        ground: "#15171a", card: "#1d2024", ink: "#e9e7e3", muted: "#9ba1aa", rule: "#343940",
        stripe: "#1a1d20", chosen: "#302722", accent: "#f0a36b",
        states: [
            .pending: Colors(line: "#7f868f", tint: "#23262b"),
            .blocked: Colors(line: "#c99a68", tint: "#2d251c"),
            .ready: Colors(line: "#d6bb62", tint: "#2d2918"),
            .executing: Colors(line: "#7fb0f2", tint: "#1a2839"),
            .finished: Colors(line: "#67bf92", tint: "#192c23"),
            .failed: Colors(line: "#f0867c", tint: "#3a1f1c"),
            .cancelled: Colors(line: "#b3a0d1", tint: "#282230"),
        ]
    )
}
