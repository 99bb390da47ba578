import Foundation

/// nginx in a process of its own, which takes little of the time that is measured; or else the loopback server.
final class RealServer {
    /// Of how many bytes a second the slow answers are.
    private static let slowRate = 20

    private let process = Process()
    private let folder: URL
    private let other: NetworkServer?
    private let base: String
    private let port: Int
    /// The server's own authority; nil without `openssl`, which makes it.
    private(set) var authority: URL?

    static let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
        guard let nginx = Self.nginx else {
            let server = try NetworkServer()
            other = server
            port = 0
            base = server.url("").absoluteString
            return
        }
        other = nil
        // Below the ports that systems choose for connections.
        port = 20_000 + Int(ProcessInfo.processInfo.processIdentifier) % 4000
        base = "http://127.0.0.1:\(port)"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{\"city\": \"Oslo\", \"degrees\": -3}".utf8).write(to: folder.appending(path: "small"))
        try Data(repeating: 120, count: 4000).write(to: folder.appending(path: "slow"))
        authority = Self.makeCertificate(in: folder)
        try Data(Self.settings(port, isSecure: authority != nil).utf8).write(
            to: folder.appending(path: "settings"))
        process.executableURL = URL(filePath: nginx)
        process.arguments = ["-p", folder.path, "-c", "settings"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Until it answers.
        while (try? Data(contentsOf: url("/small"))) == nil, process.isRunning {
            Thread.sleep(forTimeInterval: 0.01)
        }
        guard process.isRunning else { throw NotRunning() }
    }

    /// nginx has ended at once: another process may have one of its ports.
    private struct NotRunning: Error {}

    deinit {
        if other == nil {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String) -> URL { URL(string: base + path) ?? URL(filePath: "/") }

    /// With TLS and HTTP/1.1.
    func secureURL(_ path: String) -> URL { secureURL(path, port + 4000) }

    /// With HTTP/2.
    func streamURL(_ path: String) -> URL { secureURL(path, port + 8000) }

    private func secureURL(_ path: String, _ port: Int) -> URL {
        URL(string: "https://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
    }

    private static func makeCertificate(in folder: URL) -> URL? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        process.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
        ]
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? folder.appending(path: "cert.pem") : nil
    }

    private static func settings(_ port: Int, isSecure: Bool) -> String {
        let secure = """
            ssl_certificate cert.pem; ssl_certificate_key key.pem;
            server { listen 127.0.0.1:\(port + 4000) ssl backlog=16384; root .; }
            server { listen 127.0.0.1:\(port + 8000) ssl http2; http2_max_concurrent_streams 256; root .; }
            """
        return """
            daemon off; master_process off; pid pid; error_log error.log; worker_rlimit_nofile 20000;
            events { worker_connections 19000; }
            http {
              access_log off; keepalive_requests 1000000; default_type application/json;
              client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
              server {
                listen 127.0.0.1:\(port) backlog=16384; root .;
                location /slow { limit_rate \(slowRate); }
                location /s/ { try_files /small =404; }
                location /status { stub_status; }
              }
              \(isSecure ? secure : "")
            }

            """
    }
}
