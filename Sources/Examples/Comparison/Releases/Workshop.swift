/// The place where releases are made; counts the work done, and fails the first build.
actor Workshop {
    struct Broken: Error {}

    private(set) var done: [String] = []

    func source() throws -> String { did("source", "v1") }

    func build(_ source: String) throws -> String {
        if !done.contains("build") {
            _ = did("build", "")
            throw Broken()
        }
        return did("build", "\(source) built")
    }

    func test(_ source: String) throws -> String { did("test", "\(source) tested") }

    func pack(_ build: String, _ tests: String) throws -> String { did("pack", "\(build), \(tests)") }

    func publish(_ package: String) throws -> String { did("publish", "published: \(package)") }

    private func did(_ name: String, _ result: String) -> String {
        done.append(name)
        return result
    }
}
