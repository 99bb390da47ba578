/// The style sheet of a report, for light and dark pages and for paper.
enum ReportStyle {
    static let sheet: String =
        layout + colors(.light) + "@media (prefers-color-scheme:dark){\(colors(.dark))}"
        + "@media print{\(colors(.light))body{font-size:11px}.wide{overflow:visible}}\n"

    private static let layout = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;font:15px/1.55 \(GraphStyle.fonts);font-variant-numeric:tabular-nums}
        main{max-width:1120px;margin:0 auto;padding:56px 32px 72px}
        h1{font-size:32px;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:0 0 8px;overflow-wrap:anywhere}
        h2{font-size:19px;font-weight:620;letter-spacing:-.005em;margin:0 0 14px}
        h3{font-size:15px;font-weight:600;margin:0 0 4px;overflow-wrap:anywhere}
        p{margin:0 0 14px;max-width:72ch}
        section{margin-top:52px}
        .shapes{position:absolute;width:0;height:0}
        .inline{width:15px;height:15px;vertical-align:-2px;margin-right:3px}
        .status{font-size:16px;font-weight:550;margin-bottom:26px;max-width:none}
        .status .inline{width:18px;height:18px;vertical-align:-3px}
        .quiet{font-weight:400}
        .figures{display:flex;flex-wrap:wrap;gap:14px 44px;margin:0}
        .figures dt{font-size:12.5px}
        .figures dd{margin:0;font-size:22px;font-weight:600;letter-spacing:-.01em}
        .wide{overflow:auto;border:1px solid;border-radius:12px}
        #graph .wide{max-height:88vh}
        .graph{display:block;margin:0 auto}
        .timeline{display:block;width:100%;min-width:940px;padding:10px 4px 6px}
        .timeline .label{font-size:12px}
        .timeline .critical .label{font-weight:620}
        .timeline .tick,.timeline .took{font-size:10.5px}
        .timeline .grid{stroke-width:1;fill:none}
        .timeline .wait{stroke-width:2;stroke-dasharray:1.5 3;fill:none;stroke-linecap:round}
        .timeline .bar{stroke-width:1.2}
        .timeline .bar.executing{stroke-dasharray:3 2.5}
        .hatch-line{stroke-width:2.2}
        .key{font-size:12.5px;margin-top:10px}
        .sample{display:inline-block;margin:0 4px 0 18px}
        .sample:first-child{margin-left:0}
        .sample.bar{width:22px;height:10px;border-radius:3px;border:1px solid}
        .sample.wait{width:22px;border-top:2px dotted;vertical-align:4px}
        table{border-collapse:collapse;width:100%;font-size:14px}
        th{font-weight:550;font-size:12.5px;text-align:left}
        th,td{padding:8px 16px;border-bottom:1px solid;vertical-align:top}
        tbody tr:last-child td{border-bottom:0}
        .task{min-width:15em}
        .task>div{display:flex;gap:4px}
        .task .inline{flex:none;margin-top:4px}
        .task .name{min-width:0;overflow-wrap:anywhere}
        .state{white-space:nowrap}
        .number{text-align:right;white-space:nowrap}
        span.number{flex:none;min-width:2.2em;margin:1px 6px 0 0;font-size:12px}
        .failure{border:1px solid;border-left-width:4px;border-radius:10px;padding:14px 18px;margin:0 0 14px}
        .failure p{margin:4px 0 0;max-width:none;overflow-wrap:anywhere;white-space:pre-wrap}
        .failure .error{font-size:14.5px}
        .failure .cause{font-size:13.5px;padding-left:14px;border-left:2px solid}
        .names{columns:2;column-gap:40px;margin:4px 0 18px;padding-left:20px}
        .names li{break-inside:avoid;overflow-wrap:anywhere}
        details{margin-top:12px}
        summary{cursor:pointer;font-size:14px;margin-bottom:10px}
        code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace}
        footer{margin-top:64px;padding-top:16px;border-top:1px solid;font-size:12.5px}
        @media (max-width:720px){main{padding:32px 18px 48px}.names{columns:1}h1{font-size:26px}}

        """

    private static func colors(_ palette: Palette) -> String {
        var text = """
            body{background:\(palette.ground);color:\(palette.ink)}
            .quiet,.figures dt,footer,summary,th,.key{color:\(palette.muted)}
            .wide,th,td,.failure,footer{border-color:\(palette.rule)}
            .wide,.graph{background:\(palette.card)}
            .failure{background:\(palette.card);border-left-color:\(palette[.failed].line)}
            .failure .cause{border-left-color:\(palette.rule);color:\(palette.muted)}
            .inline .cut,.graph .cut,.timeline .cut{stroke:\(palette.card)}
            .graph .key{stroke:\(palette.card)}
            .graph .frame{fill:\(palette.ground)}
            .timeline .stripe{fill:\(palette.ground);fill-opacity:.7}
            .timeline .grid{stroke:\(palette.rule)}
            .timeline .tick,.timeline .took{fill:\(palette.muted)}
            .timeline .wait{stroke:\(palette.muted)}
            .hatch-ground{fill:\(palette[.failed].tint)}
            .hatch-line{stroke:\(palette[.failed].line)}
            .sample.wait{border-color:\(palette.muted)}
            .sample.bar{background:\(palette[.finished].line);border-color:\(palette[.finished].line)}
            .sample.critical{color:\(palette.accent)}
            .timeline .critical .label{fill:\(palette.accent)}

            """
        for look in TaskLook.allCases {
            let state = palette[look]
            let fill =
                switch look {
                case .finished: state.line
                case .failed: "url(#hatch)"
                case .cancelled: "none"
                default: state.tint
                }
            text += ".timeline .bar.\(look.rawValue){fill:\(fill);stroke:\(state.line)}\n"
            text += ".status.\(look.rawValue){color:\(state.line)}\n"
        }
        return text
    }
}
