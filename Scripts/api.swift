import Foundation

// Lists the public declarations of all modules, one a line, sorted: the input of Scripts/api.
// usage: api SYMBOL-GRAPH-FOLDER

struct Graph: Decodable {
    struct Module: Decodable { var name: String }
    struct Symbol: Decodable {
        struct Kind: Decodable { var identifier: String }
        struct Identifier: Decodable { var precise: String }
        struct Fragment: Decodable { var spelling: String }

        var kind: Kind
        var identifier: Identifier
        var pathComponents: [String]
        var declarationFragments: [Fragment]?
        var location: Location?
    }
    struct Location: Decodable {}

    var module: Module
    var symbols: [Symbol]
}

let folder = URL(filePath: CommandLine.arguments[1])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
var lines: [String: String] = [:]
for file in files where file.lastPathComponent.hasSuffix(".symbols.json") {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
    // A symbol without a place in the sources was made by the compiler.
    for symbol in graph.symbols where symbol.location != nil {
        let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let path = symbol.pathComponents.dropLast().joined(separator: ".")
        let place = path.isEmpty ? graph.module.name : "\(graph.module.name).\(path)"
        lines[symbol.identifier.precise] = "\(place): \(declaration)"
    }
}
for line in lines.values.sorted() { print(line) }
