/// The frame of every page.
enum Frame {
    static func html(title: String, place: String, path: [(title: String, link: String)], body: String)
        -> String
    {
        let home = Archive.relative("index.html", from: place)
        var trail = "<a href=\"\(home)\">Stepline</a>"
        for step in path { trail += " / <a href=\"\(step.link)\">\(step.title.escaped)</a>" }
        let name = title == "Stepline" ? title : "\(title) · Stepline"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(name.escaped)</title>
            <link rel="stylesheet" href="\(Archive.relative("style.css", from: place))">
            </head>
            <body>
            <header><nav>\(trail)</nav><nav><a href="\(home)#Modules">Modules</a> <a href="\(
                Archive.relative("symbols.html", from: place))">All symbols</a></nav></header>
            <main>
            \(body)</main>
            </body>
            </html>

            """
    }
}

extension String {
    /// As text and as an attribute's value.
    var escaped: String {
        var result = ""
        result.reserveCapacity(utf8.count)
        for character in self {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}
