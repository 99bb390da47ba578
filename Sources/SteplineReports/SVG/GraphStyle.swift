/// The style sheet of a drawn graph, for light and dark.
enum GraphStyle {
    static let fonts =
        "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif"

    static let sheet: String =
        shapes + colors(.light) + "@media (prefers-color-scheme:dark){\(colors(.dark))}"
        + "@media print{\(colors(.light))}"

    private static let shapes = """
        .graph text{font-family:\(fonts)}
        .graph .name{font-size:13px;font-weight:550}
        .graph .word{font-size:11px}
        .graph .frame-name{font-size:11px;font-weight:600;letter-spacing:.02em}
        .graph .key{font-size:10px;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
        .graph .edge{fill:none;stroke-width:1.3}
        .graph .edge.critical{stroke-width:2.4}
        .graph .edge.thin{stroke-width:.6}
        .graph .may-fail{stroke-dasharray:6 4}
        .graph .guards{stroke-dasharray:1.5 4;stroke-linecap:round}
        .graph .card{stroke-width:1.2}
        .graph .pending .card,.graph .blocked .card{stroke-dasharray:4 3}
        .graph .failed>.card,.graph .executing>.card{stroke-width:1.8}
        .graph .halo{fill:none;stroke-width:2}
        .graph .frame{stroke-width:1;stroke-dasharray:5 4}
        .mark .ring,.ring{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round}
        .solid{fill:currentColor}
        .cut{fill:none;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}

        """

    private static func colors(_ palette: Palette) -> String {
        var text = """
            .graph{background:\(palette.ground)}
            .graph text{fill:\(palette.ink)}
            .graph .word,.graph .key,.graph .frame-name{fill:\(palette.muted)}
            .graph .key{stroke:\(palette.ground)}
            .graph .edge{stroke:\(palette.muted);stroke-opacity:.75}
            .graph .edge.critical{stroke:\(palette.accent);stroke-opacity:1}
            .graph .edge.thin{stroke-opacity:.4}
            .tip{fill:\(palette.muted)}
            .tip.critical{fill:\(palette.accent)}
            .graph .halo{stroke:\(palette.accent)}
            .graph .frame{fill:\(palette.card);fill-opacity:.45;stroke:\(palette.muted);stroke-opacity:.6}
            .cut{stroke:\(palette.card)}

            """
        for look in TaskLook.allCases {
            let state = palette[look]
            text += """
                .mark.\(look.rawValue){color:\(state.line)}
                .graph .\(look.rawValue)>.card{fill:\(state.tint);stroke:\(state.line)}

                """
        }
        return text
    }
}
