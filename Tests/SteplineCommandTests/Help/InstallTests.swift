import Foundation
import TestSupport
import Testing

@Suite("make install", .timeLimit(.minutes(5)))
struct InstallTests {
    fileprivate static let program = URL(filePath: "/usr/bin/make")
    /// Whatever a make around the tests has been told is not for this one.
    private static let clean = ["MAKEFLAGS": "", "MAKELEVEL": "", "SUDO_USER": ""]
    private static let files = [
        "bin/stepline", "share/bash-completion/completions/stepline",
        "share/fish/vendor_completions.d/stepline.fish", "share/man/man1/stepline.1",
        "share/man/man5/stepline-flow.5", "share/zsh/site-functions/_stepline",
    ]

    private func make(_ target: String, _ variables: [String]) async throws -> CommandResult {
        let command = "STEPLINE_COMMAND=\(try Command.executable().path)"
        return try await Command.run(
            ["--no-print-directory", target, command] + variables, program: Self.program,
            environment: Self.clean, in: FlowFixtures.repository)
    }

    private func installed(in folder: URL) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            let path = folder.appending(path: name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    @Test(
        "the command, its manual pages and three completions go below DESTDIR and PREFIX, and away again",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: InstallTests.program.path),
            "make isn't installed"))
    func installs() async throws {
        let folder = try TemporaryFolder()
        let package = folder.url.appending(path: "a package")
        let places = ["DESTDIR=\(package.path)", "PREFIX=/opt/step"]
        for _ in 1...2 {
            let result = try await make("install", places)
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            #expect(
                result.output.split(separator: "\n").sorted()
                    == Self.files.map { "\(package.path)/opt/step/\($0)" })
        }
        let root = package.appending(path: "opt/step")
        #expect(installed(in: folder.url) == Self.files.map { "a package/opt/step/\($0)" })
        for file in Self.files {
            let path = root.appending(path: file).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == (file == "bin/stepline" ? 0o755 : 0o644), "\(file)")
        }
        let program = root.appending(path: "bin/stepline")
        #expect(try await Command.run(["--version"], program: program).status == 0)
        for (file, words) in [
            (Self.files[1], ["completion", "bash"]), (Self.files[2], ["completion", "fish"]),
            (Self.files[3], ["help", "--man"]), (Self.files[4], ["schema", "--man"]),
            (Self.files[5], ["completion", "zsh"]),
        ] {
            let reporting = try await Command.run(words).data
            #expect(try Data(contentsOf: root.appending(path: file)) == reporting && !reporting.isEmpty)
        }

        try Data().write(to: root.appending(path: "bin/other"))
        for _ in 1...2 {
            let removal = try await make("uninstall", places)
            #expect(removal.status == 0 && removal.errors.isEmpty, "\(removal.errors)")
            #expect(installed(in: root) == ["bin/other"])
        }
    }

    @Test(
        "a command that isn't there or doesn't run is told, and nothing is installed",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: InstallTests.program.path),
            "make isn't installed"),
        arguments: ["/nowhere/stepline", "/bin/false"])
    func refuses(command: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await Command.run(
            ["--no-print-directory", "install", "STEPLINE_COMMAND=\(command)", "DESTDIR=\(folder.url.path)"],
            program: Self.program, environment: Self.clean,
            in: FlowFixtures.repository)
        #expect(result.status == 2)
        #expect(command == "/bin/false" || result.errors.contains("build it by make command"))
        #expect(installed(in: folder.url).isEmpty)
    }
}
