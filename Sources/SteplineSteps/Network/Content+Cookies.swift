import SteplinePipeline
import SteplineRequests

extension ContentKey where Value == CookieJar {
    /// The cookies of a run; present once a server has set one.
    static var cookies: Self { .init("cookies") }
}

extension Content {
    /// Returns the jar for a load: its own, otherwise the jar shared by the run's steps.
    func jar(for jar: CookieJar) -> CookieJar {
        jar.isDefault ? self[.cookies] ?? .ofRun : jar
    }

    /// Stores the jar of a load for later steps, unless it is empty.
    mutating func keep(_ jar: CookieJar) {
        guard jar.storage?.isEmpty == false, self[.cookies] == nil else { return }
        self[.cookies] = jar
    }
}
