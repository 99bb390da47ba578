import SteplineWorkflow

/// Texts of a report's page, each held once, and errors as lists of them.
struct ReportTexts {
    private(set) var all: [String] = []
    /// Each error's texts, the outermost first, by their places.
    private(set) var errors: [[Int]] = []
    private var places: [String: Int] = [:]
    private var errorPlaces: [[Int]: Int] = [:]
    private var length = 0

    /// Once there is as much text as this, further texts are shortened: a page has to open.
    static let mostLength = 2_000_000
    private static let shortLength = 160

    /// The place of a text.
    mutating func place(of text: String) -> Int {
        var text = text
        if length > Self.mostLength, text.utf8.count > Self.shortLength {
            text = text.prefix(Self.shortLength) + "…"
        }
        if let place = places[text] { return place }
        places[text] = all.count
        all.append(text)
        length += text.utf8.count
        return all.count - 1
    }

    /// The place of an error with its causes, from 1; 0 if there is none.
    mutating func place(of error: (any Error)?) -> Int {
        guard let error else { return 0 }
        let texts = ErrorChain.texts(of: error).map { place(of: $0) }
        if let place = errorPlaces[texts] { return place }
        errors.append(texts)
        errorPlaces[texts] = errors.count
        return errors.count
    }
}
