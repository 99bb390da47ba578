import Foundation
import Stepline
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    @Suite("TLS", .overCurl, .timeLimit(.minutes(5)))
    struct TLSTests {
        @Test(
            "PL-73, PL-81: a valid certificate loads; each kind of TLS fault has its own code",
            .enabled(if: hasOpenSSL, "needs the openssl command"))
        func faults() async {
            // In a process of its own, where a test may wait for other processes.
            await #expect(processExitsWith: .success) {
                func code(_ peer: TLSPeer, _ tls: TLSOptions? = nil) async throws -> RequestError.Code? {
                    let tls = tls ?? TLSOptions(authorities: peer.certificate)
                    return await requestError(URLLoadStep(peer.url, options: options { $0.tls = tls }))?.code
                }
                let good = try await TLSPeer(name: "127.0.0.1")
                try #require(try await code(good) == nil)
                let unknown = try #require(await requestError(URLLoadStep(good.url)))
                try #require(unknown.code == .certificateUnknownAuthority && !unknown.isTransient)
                // A transport of its own, which trusts the system's authorities.
                let tuned = TLSOptions(minimumVersion: .tls12)
                try #require(try await code(good, tuned) == .certificateUnknownAuthority)
                try #require(try await code(TLSPeer(name: "127.0.0.2")) == .certificateWrongHost)
                try #require(try await code(TLSPeer(name: "127.0.0.1", isOver: true)) == .certificateExpired)
                let old = try await TLSPeer(name: "127.0.0.1", arguments: ["-no_tls1_3"])
                try #require(try await code(old) == nil)
                let newer = TLSOptions(authorities: old.certificate, minimumVersion: .tls13)
                try #require(try await code(old, newer) == .secureConnection)
            }
        }

        @Test(
            "PL-81: a client shows its certificate to a server that asks for one, and is refused without",
            .enabled(if: hasOpenSSL, "needs the openssl command"))
        func clientCertificate() async {
            await #expect(processExitsWith: .success) {
                let peer = try await TLSPeer(name: "127.0.0.1", arguments: ["-Verify", "1", "-no_tls1_3"])
                var tls = TLSOptions(authorities: peer.certificate)
                let without = options { $0.tls = tls }
                try #require(await requestError(URLLoadStep(peer.url, options: without)) != nil)
                tls.clientCertificate = .init(peer.certificate, key: peer.key)
                let with = options { $0.tls = tls }
                let content = try await run(URLLoadStep(peer.url, options: with))
                try #require(content.httpURLResponse?.statusCode == 200)
                tls.clientCertificate = .init(
                    peer.certificate.deletingLastPathComponent().appending(path: "none.pem"))
                let missing = options { $0.tls = tls }
                let error = await requestError(URLLoadStep(peer.url, options: missing))
                try #require(error?.code == .clientCertificate)
            }
        }

        @Test(
            "PL-81: the environment's CURL_CA_BUNDLE names authorities, as it does for curl",
            .enabled(if: hasOpenSSL, "needs the openssl command"))
        func bundle() async {
            await #expect(processExitsWith: .success) { try await TLSTests.load(with: "CURL_CA_BUNDLE") }
        }

        @Test(
            "PL-81: the environment's SSL_CERT_FILE names authorities, as it does for curl",
            .enabled(if: hasOpenSSL, "needs the openssl command"))
        func certificateFile() async {
            await #expect(processExitsWith: .success) { try await TLSTests.load(with: "SSL_CERT_FILE") }
        }

        private static func load(with name: String) async throws {
            let peer = try await TLSPeer(name: "127.0.0.1")
            // Before anything is loaded, and with nobody else in the process.
            for other in ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"] { unsetenv(other) }
            setenv(name, peer.certificate.path, 1)
            let content = try await run(URLLoadStep(peer.url))
            try #require(content.httpURLResponse?.statusCode == 200)
        }

        @Test("PL-74: options for TLS over a session of one's own are refused before anything runs")
        func ownSession() throws {
            let session = URLSession(configuration: .ephemeral)
            let tls = options { $0.tls = TLSOptions(minimumVersion: .tls13) }
            let url = try #require(URL(string: "https://127.0.0.1/"))
            let step = URLLoadStep(URLRequest(url: url), session: session, options: tls)
            #expect(step.configurationProblems.count == 1)
        }
    }
#endif
