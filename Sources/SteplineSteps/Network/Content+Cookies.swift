import SteplinePipeline
import SteplineRequests

extension ContentKey where Value == CookieJar {
    /// The cookies of a run; there once a server has set one.
    static var cookies: Self { .init("cookies") }
}

extension Content {
    /// The jar of a load: its own if it was given one, else that of the run, which goes from step to step.
    func jar(for jar: CookieJar) -> CookieJar {
        jar.isDefault ? self[.cookies] ?? .ofRun : jar
    }

    /// Keeps the jar of a load for the steps behind it, unless it is empty.
    mutating func keep(_ jar: CookieJar) {
        guard self[.cookies] == nil, jar.storage?.isEmpty == false else { return }
        self[.cookies] = jar
    }
}
