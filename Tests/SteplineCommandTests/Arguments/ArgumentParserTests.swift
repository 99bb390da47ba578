import SteplineSupport
import Testing

@testable import SteplineCommand

@Suite("Arguments", .timeLimit(.minutes(5)))
struct ArgumentParserTests {
    private enum Color: String, CaseIterable { case red, green }

    private static let jobs = Option(number: "jobs", short: "j", in: 1...64, "jobs")
    private static let quiet = Option(flag: "quiet", short: "q", "quiet")
    private static let follow = Option(flag: "follow", short: "f", isNegatable: true, "follow")
    private static let header = Option(
        text: "header", short: "H", value: "LINE", isRepeatable: true, "header")
    private static let color = Option<Color>(choice: "color", value: "COLOR", "color")
    private static let rows = [jobs.row, quiet.row, follow.row, header.row, color.row]

    private func parse(_ words: String...) throws -> Arguments {
        try ArgumentParser.parse(words, by: Self.rows)
    }

    @Test(
        "a value follows its option in every usual spelling",
        arguments: [
            ["--jobs", "4"], ["--jobs=4"], ["-j", "4"], ["-j4"], ["-qj4"], ["-qj", "4"], ["-j9", "--jobs=4"],
        ])
    func values(words: [String]) throws {
        #expect(try ArgumentParser.parse(words, by: Self.rows)[Self.jobs] == 4)
    }

    @Test("short options can be bundled and flags negated; the last one counts")
    func flags() throws {
        let both = try parse("-qf")
        #expect(both.isOn(Self.quiet) && both.isOn(Self.follow))
        #expect(try parse("--no-follow")[Self.follow] == false)
        #expect(try parse("--no-follow", "-f")[Self.follow] == true)
        #expect(try parse()[Self.follow] == nil)
    }

    @Test("options and operands may be mixed; -- ends the options, - is an operand")
    func operands() throws {
        let arguments = try parse("a", "-q", "b", "-", "--", "--jobs", "-x")
        #expect(arguments.operands == ["a", "b", "-", "--jobs", "-x"])
        #expect(arguments.isOn(Self.quiet))
        #expect(arguments[Self.jobs] == nil)
    }

    @Test("an option takes the next word, whatever it looks like, and a value may hold = or be empty")
    func anyValue() throws {
        let arguments = try parse(
            "--header", "-q", "-H", "--", "--header=a=b", "--header=", "--header=\u{301}")
        #expect(arguments.all(Self.header) == ["-q", "--", "a=b", "", "\u{301}"])
        #expect(!arguments.isOn(Self.quiet))
    }

    @Test(
        "an unknown argument is reported in one line, with a guess",
        arguments: [
            (["--jbos", "4"], "unknown option --jbos; did you mean --jobs?"),
            (["--no-folow"], "unknown option --no-folow; did you mean --no-follow?"),
            (["--zzz"], "unknown option --zzz"),
            (["-x"], "unknown option -x"),
            (["-quiet"], "unknown option -u"),
            (["-jobs"], "-j needs a whole number from 1 to 64, not 'obs'"),
            (["--jobs"], "--jobs needs a value: a whole number from 1 to 64"),
            (["--jobs=65"], "--jobs needs a whole number from 1 to 64, not '65'"),
            (["-j", "-1"], "-j needs a whole number from 1 to 64, not '-1'"),
            (["--quiet=yes"], "--quiet takes no value"),
            (["--no-follow=1"], "--no-follow takes no value"),
            (["--no-quiet"], "unknown option --no-quiet; did you mean --quiet?"),
            (["--color", "gren"], "--color needs one of red, green, not 'gren'; did you mean green?"),
            (["--=x"], "unknown option --"),
        ])
    func mistakes(words: [String], line: String) {
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(words, by: Self.rows) }
        #expect(error?.description == line)
    }

    @Test(
        "lengths of time are read with their units",
        arguments: [
            ("30", 30), ("30s", 30), ("500ms", 0.5), ("2m", 120), ("1.5h", 5400), ("1d", 86_400), ("0", 0),
            ("", nil), ("s", nil), ("1x", nil), ("-1", nil), ("1e3s", nil), ("nan", nil), ("1.2.3", nil),
            ("9e99", nil), ("99999999999d", nil),
        ])
    func durations(text: String, seconds: Double?) {
        #expect(UnitText.duration(text) == seconds.map { .seconds($0) })
    }

    @Test(
        "sizes with MB are in powers of 1000, with MiB or M in powers of 1024",
        arguments: [
            ("1000", 1000), ("10k", 10_240), ("1.5M", 1_572_864), ("2GiB", 2 << 30), ("3kB", 3000), ("7B", 7),
            ("1.5MB", 1_500_000), ("64KiB", 65_536), ("2gb", 2_000_000_000), ("1TiB", 1 << 40),
            ("", nil), ("k", nil), ("1x", nil), ("-1", nil), ("9999999T", nil), ("0x10", nil),
        ])
    func sizes(text: String, bytes: Int?) { #expect(UnitText.bytes(text) == bytes) }

    @Test("no two options of a subcommand share a name or a letter")
    func uniqueness() {
        for command in Subcommand.all {
            let names = command.rows.flatMap { $0.isNegatable ? [$0.name, "no-" + $0.name] : [$0.name] }
            #expect(Set(names).count == names.count, "\(command.name): \(names)")
            let letters = command.rows.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(command.name): \(letters)")
        }
    }
}
