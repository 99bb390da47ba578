import Foundation
import SteplineSupport
import Testing

@testable import SteplineRequests

@Suite("Jars of cookies", .timeLimit(.minutes(5)))
struct CookieJarTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func temporary() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "stepline-jar-\(UUID().uuidString).txt")
    }

    @Test(
        "PL-73: a cookie is sent where its rules allow, and nowhere else",
        arguments: [
            ("https://www.example.com/a/b", "path=2; wide=3; host=1; safe=4"),
            ("https://www.example.com/a", "path=2; wide=3; host=1; safe=4"),
            ("https://www.example.com/ab", "wide=3; host=1; safe=4"),
            ("http://www.example.com/", "wide=3; host=1"),
            ("http://example.com/", "wide=3"), ("http://deep.www.example.com/", "wide=3"),
            ("http://notexample.com/", nil), ("http://example.org/", nil),
        ])
    func sending(_ place: String, _ expected: String?) throws {
        let jar = CookieStorage()
        jar.store(
            [
                "wide=3; Domain=example.com; Path=/", "host=1; Path=/", "path=2; Path=/a",
                "safe=4; Secure; Path=/", "old=5; Max-Age=0",
            ],
            from: try url("https://www.example.com/x"), at: now)
        #expect(jar.header(for: try url(place), at: now) == expected)
    }

    @Test(
        "PL-73: the latest of a name counts, one that is over removes it, and plain HTTP can't replace one of TLS"
    )
    func replacing() throws {
        let (jar, safe, plain) = (CookieStorage(), try url("https://a.org/"), try url("http://a.org/"))
        jar.store(["a=1", "b=1; Secure"], from: safe, at: now)
        jar.store(["a=2", "b=evil"], from: plain, at: now)
        #expect(jar.header(for: safe, at: now) == "a=2; b=1")
        jar.store(["a=; Max-Age=0"], from: safe, at: now)
        #expect(jar.header(for: safe, at: now) == "b=1")
        jar.store(["c=1; Max-Age=10"], from: safe, at: now)
        #expect(
            jar.header(for: safe, at: now + 9) == "b=1; c=1" && jar.header(for: safe, at: now + 10) == "b=1")
    }

    @Test("PL-73: a host can't fill a jar without end")
    func bounds() throws {
        let (jar, place) = (CookieStorage(), try url("http://a.org/"))
        jar.store(["mine=1"], from: try url("http://b.org/"), at: now)
        for round in 0..<20 { jar.store((0..<60).map { "c\(round)-\($0)=1" }, from: place, at: now) }
        #expect((jar.header(for: place, at: now) ?? "").split(separator: ";").count == 180)
        #expect(jar.header(for: try url("http://b.org/"), at: now) == "mine=1")
    }

    @Test("PL-73: a jar in a file is Netscape's, for its owner alone, and as it was when it is read")
    func file() throws {
        let file = temporary()
        defer { try? FileManager.default.removeItem(at: file) }
        let jar = try #require(CookieJar.file(file).storage)
        try jar.read()
        let place = try url("https://www.example.com/x")
        jar.store(
            ["a=1; Max-Age=100; Path=/", "b=2; Domain=example.com; Secure; HttpOnly; Path=/p"], from: place,
            at: now)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try jar.save(at: now)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text.split(separator: "\n").dropFirst() == [
                "www.example.com\tFALSE\t/\tFALSE\t1700000100\ta\t1",
                "#HttpOnly_.example.com\tTRUE\t/p\tTRUE\t0\tb\t2",
            ])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try #require(CookieJar.file(file).storage)
        try again.read()
        #expect(again.header(for: try url("https://www.example.com/p"), at: now) == "b=2; a=1")
        #expect(again.header(for: try url("http://example.com/p"), at: now) == nil)
    }

    @Test("PL-73: cookies that couldn't be written are written by the next save")
    func failedSave() throws {
        let folder = temporary()
        defer { try? FileManager.default.removeItem(at: folder) }
        // A file where the jar's folder is to be.
        try Data().write(to: folder)
        let file = folder.appending(path: "jar")
        let jar = try #require(CookieJar.file(file).storage)
        let place = try url("https://example.com/")
        jar.store(["a=1; Max-Age=100"], from: place, at: now)
        #expect(throws: (any Error).self) { try jar.save(at: now) }
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        jar.store(["b=2; Max-Age=100"], from: place, at: now)
        try jar.save(at: now)
        #expect(jar.header(for: place, at: now) == "a=1; b=2")
        #expect(CookieJar.file(file).storage?.knownHeader(for: place, at: now) == "a=1; b=2")
    }

    @Test("PL-73: concurrent saves lose no cookie")
    func concurrentSaves() throws {
        let file = temporary()
        defer { try? FileManager.default.removeItem(at: file) }
        let jar = try #require(CookieJar.file(file).storage)
        let place = try url("https://example.com/")
        let isComplete = Locked(true)
        DispatchQueue.concurrentPerform(iterations: 60) { number in
            jar.store(["c\(number)=1; Max-Age=100"], from: place, at: now)
            try? jar.save(at: now)
            let header = jar.header(for: place, at: now) ?? ""
            if !header.contains("c\(number)=1") { isComplete.withLock { $0 = false } }
        }
        #expect(isComplete.withLock { $0 })
        let header = CookieJar.file(file).storage?.knownHeader(for: place, at: now)
        #expect(header?.split(separator: ";").count == 60)
    }

    @Test("PL-73: cookies that another process has put into the file stay")
    func shared() throws {
        let file = temporary()
        defer { try? FileManager.default.removeItem(at: file) }
        let (one, two) = (
            try #require(CookieJar.file(file).storage), try #require(CookieJar.file(file).storage)
        )
        let place = try url("http://a.org/")
        try one.read()
        try two.read()
        one.store(["a=1; Max-Age=100"], from: place, at: now)
        two.store(["b=1; Max-Age=100"], from: place, at: now)
        try one.save(at: now)
        try two.save(at: now)
        #expect(two.header(for: place, at: now) == "a=1; b=1")
        #expect(CookieShelf(netscape: try String(contentsOf: file, encoding: .utf8)).cookies.count == 2)
    }

    @Test("PL-73: lines that aren't a jar's are skipped")
    func oddLines() {
        let text =
            "# comment\n\nhalf\ta\tline\na.org\tFALSE\t/\tFALSE\tsoon\ta\t1\n.b.org\tTRUE\t/\tFALSE\t0\tb\t2\r\na.org\tFALSE\t/\tFALSE\t0\tempty\n"
        #expect(CookieShelf(netscape: text).cookies.map(\.name) == ["b", "empty"])
        let returns = "# jar\ra.org\tFALSE\t/\tFALSE\t0\ta\t1\rb.org\tFALSE\t/\tFALSE\t0\tb\t2\r"
        #expect(CookieShelf(netscape: returns).cookies.map(\.name) == ["a", "b"])
        let separator = CookieShelf(netscape: "a.org\tFALSE\t/\tFALSE\t0\ta\tx\u{2028}y\u{85}z\n")
        #expect(separator.cookies.map(\.value) == ["x\u{2028}y\u{85}z"])
    }

    @Test("PL-73: unchanged options have a jar of their own, which copies share")
    func ofRun() throws {
        let (one, two) = (LoadOptions(), LoadOptions())
        let copy = one
        #expect(one.cookies.isDefault && one.cookies.storage !== two.cookies.storage)
        #expect(copy.cookies.storage === one.cookies.storage && CookieJar.none.storage == nil)
    }
}
