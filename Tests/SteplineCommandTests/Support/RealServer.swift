import Foundation
import TestProcesses
import TestServers
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if os(Linux)
    /// A program of the system's that serves on 127.0.0.1, for as long as a test needs it.
    final class RealServer {
        static let nginx = installed("nginx")
        static let tinyproxy = installed("tinyproxy")
        static let openSSL = installed("openssl")
        static let curl = installed("curl")

        /// The ports that it listens on, in the order that its settings have them.
        let ports: [Int]
        let folder: TemporaryFolder
        private let process = Process()

        /// Writes settings for so many free ports into a folder, starts the program, and returns once it answers.
        init(
            _ program: String?, ports count: Int, in folder: TemporaryFolder, arguments: (String) -> [String],
            settings: ([Int]) -> String
        ) async throws {
            self.folder = folder
            ports = try FreePorts.some(count).map(Int.init)
            let file = folder.url.appending(path: "settings.conf")
            try Data(settings(ports).utf8).write(to: file)
            process.executableURL = URL(filePath: try #require(program))
            process.arguments = arguments(file.path)
            process.currentDirectoryURL = folder.url
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try TestProcess.start(process)
            for port in ports {
                try await eventually("no answer on port \(port)") {
                    try #require(process.isRunning, "\(program ?? "") has ended")
                    return Self.answers(port)
                }
            }
        }

        deinit {
            // The process may have inherited that it ignores SIGTERM.
            kill(process.processIdentifier, SIGKILL)
        }

        func url(_ path: String, port: Int = 0, scheme: String = "http") -> String {
            "\(scheme)://127.0.0.1:\(ports[port])\(path)"
        }

        private static func installed(_ name: String) -> String? {
            ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map { "\($0)/\(name)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        private static func answers(_ port: Int) -> Bool {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = local(port)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }

        private static func local(_ port: Int) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(UInt16(port)).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            return address
        }
    }

    extension RealServer {
        /// A server of HTTP on the first port, one of TLS and HTTP/2 on the second, and a proxy for `user` with the
        /// password `pa:ss` on the third.
        static func nginx(in folder: TemporaryFolder) async throws -> RealServer {
            let files = folder.url.appending(path: "www")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try Data((0..<20_000).map { "\($0)\n" }.joined().utf8).write(to: files.appending(path: "a.txt"))
            let made = try await Command.run(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=stepline", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", "key.pem", "-out", "ca.pem",
                ],
                program: URL(filePath: try #require(openSSL)), in: folder.url)
            try #require(made.status == 0, "\(made.errors)")
            return try await RealServer(
                nginx, ports: 3, in: folder,
                arguments: { ["-p", folder.url.path, "-c", $0] }
            ) { ports in
                let own = """
                    root www; client_max_body_size 100m;
                    location /protocol { return 200 "$server_protocol"; }
                    location /connection { return 200 "$connection\\n"; }
                    location /trailers/ { alias www/; add_trailer X-Trailer "end"; }
                    location /packed/ { alias www/; gzip on; gzip_types *; gzip_min_length 1; }
                    location /put/ { alias www/put/; dav_methods PUT DELETE; create_full_put_path on; }
                    location /refused/ { return 401 "no"; }
                    """
                return """
                    daemon off; master_process off; pid pid; error_log error.log;
                    events {}
                    http {
                      access_log off;
                      client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3;
                      uwsgi_temp_path t4; scgi_temp_path t5;
                      server { listen 127.0.0.1:\(ports[0]); \(own) }
                      server {
                        listen 127.0.0.1:\(ports[1]) ssl http2;
                        ssl_certificate ca.pem; ssl_certificate_key key.pem;
                        add_header Alt-Svc 'h3=":\(ports[1])"; ma=86400';
                        \(own)
                      }
                      server {
                        listen 127.0.0.1:\(ports[2]);
                        if ($http_proxy_authorization != "Basic dXNlcjpwYTpzcw==") { return 407 "who?"; }
                        location / {
                          proxy_set_header Proxy-Authorization ""; proxy_set_header X-Forwarded-By "proxy";
                          proxy_pass http://$http_host$request_uri;
                        }
                      }
                    }
                    """
            }
        }

        /// A proxy for `user` with the password `pass`, which makes tunnels as well.
        static func proxy(in folder: TemporaryFolder) async throws -> RealServer {
            try await RealServer(tinyproxy, ports: 1, in: folder, arguments: { ["-d", "-c", $0] }) { ports in
                "Port \(ports[0])\nListen 127.0.0.1\nTimeout 60\nMaxClients 100\nBasicAuth user pass\n"
            }
        }
    }
#endif
