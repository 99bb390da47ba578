import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Quick factories", .timeLimit(.minutes(5)))
struct FactoryTests {
    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/city", .text(#"{"name": "Paris", "population": 2102650}"#))
        server.route("/page.xml", .text("<r><i>one</i></r>"))
        server.route("/page.html", .text("<p>one<p>two"))
        server.route("/refused", .text(#"{"name": "nobody"}"#, status: 404))
    }

    struct City: Decodable, Equatable {
        let name: String
        let population: Int
    }

    @Test("PL-104: loading, also with parsing JSON as a document and as a type, is one line")
    func loading() async throws {
        let url = server.url("/city")
        for pipeline in [Pipeline.loading(url), .loading(URLRequest(url: url))] {
            #expect(pipeline.steps.count == 1)
            #expect(try await pipeline.run(returning: .bodyData).count == 40)
        }
        for pipeline in [Pipeline.loadingJSON(url), .loadingJSON(URLRequest(url: url))] {
            let json = try await pipeline.run(returning: JSON.self)
            #expect(json["name"]?.string == "Paris")
        }
        for pipeline in [
            Pipeline.loadingJSON(url, as: City.self), .loadingJSON(URLRequest(url: url), as: City.self),
        ] {
            #expect(
                try await pipeline.run(returning: City.self) == City(name: "Paris", population: 2_102_650))
        }
    }

    @Test("PL-104: loading and parsing XML and HTML")
    func markup() async throws {
        let (xml, html) = (server.url("/page.xml"), server.url("/page.html"))
        for pipeline in [Pipeline.loadingXML(xml), .loadingXML(URLRequest(url: xml))] {
            let document = try await pipeline.run(returning: XML.Document.self)
            #expect(try document.query(.strings("//i")) == ["one"])
        }
        for pipeline in [Pipeline.loadingHTML(html), .loadingHTML(URLRequest(url: html))] {
            let document = try await pipeline.run(returning: XML.Document.self)
            #expect(try document.query(.strings("//p")) == ["one", "two"])
        }
    }

    @Test("PL-104: loading a file, and downloading to one")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "factories-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, file) = (server.url("/city"), folder.appending(path: "city.json"))
        for pipeline in [Pipeline.downloading(url, to: file), .downloading(URLRequest(url: url), to: file)] {
            #expect(try await pipeline.run(returning: URL.self) == file)
        }
        #expect(try await Pipeline.loadingFile(file).run(returning: .bodyData).count == 40)
    }

    @Test("PL-104: a factory makes an ordinary pipeline: unstarted, open to steps, observers and copies")
    func ordinary() async throws {
        let pipeline = Pipeline.loadingJSON(server.url("/city"), as: City.self)
        #expect(pipeline.check().isEmpty)
        let thousands = ContentKey<Int>("thousands")
        try pipeline.addStep(BlockStep(to: thousands) { (city: City) in city.population / 1000 })
        let copy = try pipeline.copy()
        let reported = Recorder<Int>()
        pipeline.onSuccess { city in reported.record(city.population) }
        guard case .ready = pipeline.state else {
            Issue.record("a factory's pipeline has been started")
            return
        }
        #expect(server.requests.isEmpty)
        #expect(try await pipeline.run().population / 1000 == 2102)
        #expect(reported.values.map { $0 / 1000 } == [2102])
        #expect(try await copy.run(returning: thousands) == 2102)
    }

    @Test("PL-104: a refused status means that nothing is parsed")
    func refused() async throws {
        let url = server.url("/refused")
        let pipelines: [AnyPipeline] = [
            Pipeline.loadingJSON(url), Pipeline.loadingJSON(url, as: City.self), Pipeline.loadingXML(url),
            Pipeline.loadingHTML(url),
        ]
        for pipeline in pipelines {
            let error = await #expect(throws: PipelineError.self) { try await pipeline.run() }
            #expect(error?.underlying(as: RequestError.self)?.statusCode == 404)
            #expect(error?.step?.index == 0)
            #expect(pipeline.content?.bodyObject == nil)
        }
    }
}
