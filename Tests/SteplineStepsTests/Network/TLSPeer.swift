import Foundation
import SteplineSupport
import TestProcesses
import TestSupport
import Testing

#if os(Linux)
    private let openSSL = "/usr/bin/openssl"
    var hasOpenSSL: Bool { FileManager.default.isExecutableFile(atPath: openSSL) }

    /// A server of TLS in a process of its own, with a certificate that it has signed itself.
    final class TLSPeer {
        let url: URL
        let certificate: URL
        let key: URL
        private let folder: TemporaryFolder
        private let process = Process()

        /// Starts a server with a certificate for a name, one that is over if need be, and options of `s_server`.
        init(name: String, isOver: Bool = false, arguments: [String] = []) async throws {
            folder = try TemporaryFolder()
            certificate = folder["certificate.pem"]
            key = folder["key.pem"]
            let request = [
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                "/CN=stepline", "-addext", "subjectAltName=IP:\(name)", "-keyout", key.path,
            ]
            if isOver {
                try await Self.run(request + ["-out", folder["request.pem"].path])
                try await Self.signAsOver(in: folder)
            } else {
                try await Self.run(request + ["-x509", "-days", "2", "-out", certificate.path])
            }
            let output = TestProcess.pipe()
            process.executableURL = URL(filePath: openSSL)
            process.arguments =
                [
                    "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.path, "-key",
                    key.path, "-www",
                ] + arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = TestProcess.pipe()
            try TestProcess.start(process)
            let port = try #require(await Self.port(readFrom: output).value, "it has ended at once")
            url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        }

        /// The port that the program prints once it listens.
        private static func port(readFrom output: Pipe) -> OneShot<Int?> {
            let port = OneShot<Int?>(), reading = output.fileHandleForReading
            Thread.detachNewThread {
                var reported = Data()
                while case let more = reading.availableData, !more.isEmpty {
                    reported.append(more)
                    let lines = String(decoding: reported, as: UTF8.self).components(separatedBy: "\n")
                        .dropLast()
                    guard let line = lines.first(where: { $0.hasPrefix("ACCEPT") }) else { continue }
                    port.fulfill(line.split(separator: ":").last.flatMap { Int($0) })
                    return
                }
                port.fulfill(nil)
            }
            return port
        }

        /// Signs a request such that it was valid for a month of 2020.
        private static func signAsOver(in folder: TemporaryFolder) async throws {
            let settings = """
                [ca]
                default_ca = own
                [own]
                database = \(folder["index.txt"].path)
                serial = \(folder["serial"].path)
                new_certs_dir = \(folder["."].path)
                default_md = sha256
                policy = any
                copy_extensions = copy
                [any]
                commonName = supplied

                """
            try Data(settings.utf8).write(to: folder["ca.cnf"])
            try Data().write(to: folder["index.txt"])
            try Data("01\n".utf8).write(to: folder["serial"])
            try await run([
                "ca", "-batch", "-selfsign", "-notext", "-config", folder["ca.cnf"].path, "-keyfile",
                folder["key.pem"].path, "-in", folder["request.pem"].path, "-out",
                folder["certificate.pem"].path,
                "-startdate", "20200101000000Z", "-enddate", "20200201000000Z",
            ])
        }

        private static func run(_ arguments: [String]) async throws {
            let process = Process()
            process.executableURL = URL(filePath: openSSL)
            process.arguments = arguments
            guard try await TestProcess.output(of: process, withErrors: true).status == 0 else {
                throw POSIXError(.EIO)
            }
        }

        deinit {
            // The process may have inherited that it ignores SIGTERM.
            kill(process.processIdentifier, SIGKILL)
        }
    }
#endif
