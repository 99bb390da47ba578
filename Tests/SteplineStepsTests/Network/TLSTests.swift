import Foundation
import Stepline
import SteplineRequests
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    @Suite("TLS", .timeLimit(.minutes(2)))
    struct TLSTests {
        @Test(
            "PL-73, PL-81: a certificate that nobody vouches for, or of another host, is a typed error; else it loads",
            .enabled(if: hasOpenSSL, "needs the openssl command"))
        func certificates() async {
            // In a process of its own, where one may wait for others.
            await #expect(processExitsWith: .success) {
                let peer = try TLSPeer(name: "127.0.0.1")
                let error = try #require(await requestError(URLLoadStep(peer.url)))
                try #require(error.code == .connection && !error.isTransient)
                let cause = error.underlying as? URLError
                try #require(!isOnCurl || cause?.code == .serverCertificateUntrusted)
                let trusting = try #require(CurlTransport(authorities: peer.certificate.path))
                let loaded = await events(of: URLRequest(url: peer.url), over: trusting)
                try #require(loaded.error == nil && loaded.status == 200)
                let other = try TLSPeer(name: "127.0.0.2")
                let fooled = try #require(CurlTransport(authorities: other.certificate.path))
                let refused = await events(of: URLRequest(url: other.url), over: fooled)
                try #require((refused.error as? URLError)?.code == .serverCertificateUntrusted)
            }
        }
    }

    private func events(
        of request: URLRequest, over transport: any Transport
    ) async -> (status: Int?, error: (any Error)?) {
        let told = Recorder<TransportEvent>()
        let ended = Recorder<Void>()
        let exchange = transport.send(request, body: .none) { event in
            told.record(event)
            if case .ended = event { ended.record(()) }
        }
        await ended.waitForCount(1)
        exchange.end()
        var result: (status: Int?, error: (any Error)?) = (nil, nil)
        for event in told.values {
            if case .response(let response) = event {
                result.status = (response as? HTTPURLResponse)?.statusCode
            }
            if case .ended(let error) = event { result.error = error }
        }
        return result
    }

    private let openSSL = "/usr/bin/openssl"
    private var hasOpenSSL: Bool { FileManager.default.isExecutableFile(atPath: openSSL) }

    /// A server of TLS in a process of its own, with a certificate that it has signed itself.
    private final class TLSPeer {
        let url: URL
        let certificate: URL
        private let folder: TemporaryFolder
        private let process = Process()

        init(name: String) throws {
            folder = try TemporaryFolder()
            certificate = folder["certificate.pem"]
            let key = folder["key.pem"]
            let making = Process()
            making.executableURL = URL(filePath: openSSL)
            making.arguments = [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2",
                "-subj", "/CN=stepline", "-addext", "subjectAltName=IP:\(name)", "-keyout", key.path, "-out",
                certificate.path,
            ]
            making.standardError = FileHandle.nullDevice
            try making.run()
            making.waitUntilExit()
            let output = Pipe()
            process.executableURL = URL(filePath: openSSL)
            process.arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.path, "-key",
                key.path, "-www",
            ]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = Pipe()
            try process.run()
            var told = Data()
            var port: Int?
            while port == nil {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { throw POSIXError(.EPIPE) }
                told.append(more)
                // It says where it listens, once it does.
                let lines = String(decoding: told, as: UTF8.self).components(separatedBy: "\n").dropLast()
                port = lines.first { $0.hasPrefix("ACCEPT") }.flatMap { line in
                    line.split(separator: ":").last.flatMap { Int($0) }
                }
            }
            url = try #require(URL(string: "https://127.0.0.1:\(port ?? 0)/"))
        }

        deinit {
            // It may have inherited that a gentler signal is not heard.
            kill(process.processIdentifier, SIGKILL)
        }
    }
#endif
