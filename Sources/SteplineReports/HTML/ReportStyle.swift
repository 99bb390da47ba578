/// The style sheet of a report, for light and dark pages and for paper.
enum ReportStyle {
    static let sheet: String =
        variables(.light) + "@media (prefers-color-scheme:dark){\(variables(.dark))}\n" + layout
        + ExplorerStyle.sheet + states + "@media print{\(variables(.light))\(paper)}\n"

    private static let layout = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;font:15px/1.55 \(GraphStyle.fonts);font-variant-numeric:tabular-nums}
        body{background:var(--ground);color:var(--ink)}
        main{max-width:1280px;margin:0 auto;padding:56px 32px 72px}
        h1{font-size:32px;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:0 0 8px}
        h1,h3{overflow-wrap:anywhere}
        h2{font-size:19px;font-weight:620;letter-spacing:-.005em;margin:0 0 14px}
        h3{font-size:15px;font-weight:600;margin:0 0 4px}
        p{margin:0 0 14px;max-width:72ch}
        section{margin-top:52px}
        .shapes{position:absolute;width:0;height:0}
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .inline{width:15px;height:15px;vertical-align:-2px;margin-right:3px;flex:none}
        .inline .cut,.graph .cut{stroke:var(--card)}
        .status{font-size:16px;font-weight:550;margin-bottom:26px;max-width:none}
        .status .inline{width:18px;height:18px;vertical-align:-3px}
        .quiet{font-weight:400}
        .quiet,.figures dt,footer,th{color:var(--muted)}
        .critical{color:var(--accent)}
        .figures{display:flex;flex-wrap:wrap;gap:14px 44px;margin:0}
        .figures dt{font-size:12.5px}
        .figures dd{margin:0;font-size:22px;font-weight:600;letter-spacing:-.01em}
        #bound{margin:22px 0 0}
        .wide{overflow:auto;border:1px solid var(--rule);border-radius:12px;background:var(--card)}
        #graph .wide{max-height:88vh}
        .graph{display:block;margin:0 auto;background:var(--card)}
        .graph .key{stroke:var(--card)}
        .graph .frame{fill:var(--ground)}
        table{border-collapse:collapse;width:100%;font-size:14px}
        th{font-weight:550;font-size:12.5px;text-align:left}
        th,td{padding:8px 16px;border-bottom:1px solid var(--rule);vertical-align:top}
        tbody tr:last-child td{border-bottom:0}
        .task{min-width:15em}
        .task>div{display:flex;gap:4px}
        .task .inline{margin-top:4px}
        .task .name{min-width:0;overflow-wrap:anywhere}
        .number{text-align:right;white-space:nowrap}
        .lane{width:40%;min-width:12em}
        .lane svg{display:block;width:100%;height:12px;margin-top:5px;background:var(--ground)}
        .lane path{fill:var(--finished)}
        .failure{border:1px solid var(--rule);border-left:4px solid var(--failed);border-radius:10px}
        .failure{background:var(--card);padding:14px 18px;margin:0 0 14px}
        .failure p{margin:4px 0 0;max-width:none;overflow-wrap:anywhere;white-space:pre-wrap}
        .failure .error{font-size:14.5px}
        .failure .cause{font-size:13.5px;padding-left:14px;border-left:2px solid var(--rule);color:var(--muted)}
        .failure{position:relative}
        .failure>button{position:absolute;right:12px;top:12px}
        .failure>h3{padding-right:84px}
        .more{margin:-2px 0 18px}
        .names{columns:2;column-gap:40px;margin:4px 0 18px;padding-left:20px}
        .names li{break-inside:avoid;overflow-wrap:anywhere}
        details{margin-top:12px}
        summary{cursor:pointer;font-size:14px;margin-bottom:10px;color:var(--muted)}
        code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace}
        footer{margin-top:64px;padding-top:16px;border-top:1px solid var(--rule);font-size:12.5px}
        @media (max-width:720px){main{padding:32px 18px 48px}.names{columns:1}h1{font-size:26px}}

        """

    private static let states: String = TaskLook.allCases.map { look in
        ".status.\(look.rawValue){color:var(--\(look.rawValue))}\n"
    }.joined()

    private static let paper =
        "body{font-size:11px}.wide{overflow:visible}.tools,.zoom,.key,.details,.failure>button{display:none}"

    /// The palette, by names that the script reads as well.
    private static func variables(_ palette: Palette) -> String {
        var pairs = [
            ("ground", palette.ground), ("card", palette.card), ("ink", palette.ink),
            ("muted", palette.muted), ("rule", palette.rule), ("accent", palette.accent),
            ("stripe", palette.stripe), ("chosen", palette.chosen),
        ]
        for look in TaskLook.allCases {
            pairs.append((look.rawValue, palette[look].line))
            pairs.append((look.rawValue + "-tint", palette[look].tint))
        }
        return ":root{\(pairs.map { "--\($0.0):\($0.1)" }.joined(separator: ";"))}\n"
    }
}
