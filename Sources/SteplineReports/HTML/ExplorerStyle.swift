/// The style of what a report's script shows: the list of tasks with its timeline, details, the map of a large graph.
enum ExplorerStyle {
    static let sheet = """
        #explorer[hidden]{display:none}
        button,select,input{font:inherit;color:inherit}
        button,select,.search input{background:var(--card);border:1px solid var(--rule);border-radius:8px}
        button,select{font-size:13px;line-height:1.4;padding:4px 10px;cursor:pointer}
        button:hover,select:hover{border-color:var(--muted)}
        :focus-visible{outline:2px solid var(--accent);outline-offset:1px}
        .plain{border:0;background:none;padding:0;color:var(--accent);text-align:left}
        .plain:hover{text-decoration:underline}
        kbd{font:11px ui-monospace,SFMono-Regular,Menlo,monospace;border:1px solid var(--rule);border-radius:4px}
        kbd{padding:1px 5px;background:var(--card);color:var(--muted)}
        .tools{display:flex;flex-wrap:wrap;gap:8px 10px;align-items:center;margin-bottom:10px}
        .search{position:relative;flex:1 1 260px;max-width:400px}
        .search input{width:100%;padding:6px 34px 6px 12px;font-size:14px}
        .search input::placeholder{color:var(--muted);opacity:1}
        .search input::-webkit-search-cancel-button{display:none}
        .search kbd{position:absolute;right:9px;top:9px}
        .chips{display:flex;flex-wrap:wrap;gap:6px}
        .chip{border-radius:99px;padding:4px 12px 4px 10px;display:flex;align-items:center;gap:5px}
        .chip[aria-pressed=true]{border-color:var(--ink);box-shadow:inset 0 0 0 1px var(--ink);font-weight:550}
        .chip .inline{margin:0}
        .chip .quiet{font-size:12px}
        .chip[data-state=critical]{color:var(--accent)}
        .count{margin:0 auto 0 2px;font-size:13.5px;font-weight:550}
        .sort{font-size:13px;color:var(--muted)}
        .sort select{color:var(--ink)}
        .turn{min-width:32px}
        .zoom{display:flex;align-items:center}
        .zoom button{border-radius:0;margin-left:-1px;min-width:34px}
        .zoom button:hover{z-index:1;position:relative}
        .zoom button:first-of-type{border-radius:8px 0 0 8px}
        .zoom button:last-of-type{border-radius:0 8px 8px 0}
        .window{font-size:12.5px;color:var(--muted);margin-right:10px}
        .overview{display:block;width:100%;height:64px;margin-bottom:10px;cursor:crosshair;touch-action:pan-y}
        .overview,.grid,.map{border:1px solid var(--rule);border-radius:12px;background:var(--card)}
        .grid{overflow:hidden;font-size:13.5px;--times:40%}
        .timeless .grid{--times:0px}
        .row{display:grid;align-items:center;height:30px;width:100%}
        .row{grid-template-columns:minmax(0,1fr) 92px 90px 102px 102px 102px var(--times)}
        .timeless .row{grid-template-columns:minmax(0,1fr) 140px 100px}
        .row.head{height:34px;border-bottom:1px solid var(--rule)}
        .head button{border:0;background:none;padding:4px 0;font-size:12.5px;color:var(--muted);font-weight:550}
        .head button:hover{color:var(--ink)}
        .head .sorted button{color:var(--ink)}
        .cell{padding:0 10px;min-width:0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
        .cell.name{display:flex;align-items:center;padding-left:14px}
        .cell.name .name{overflow:hidden;text-overflow:ellipsis}
        .cell.name .inline{margin-right:7px}
        .cell .critical{white-space:pre}
        .cell.attempts,.cell.waited,.cell.took,.cell.slack{text-align:right}
        .row .cell.waited,.row .cell.slack,.row .cell.attempts,.row .cell.state{color:var(--muted)}
        .cell.axis{padding:0;height:100%}
        .cell.axis canvas{display:block;width:100%;height:100%}
        .viewport{position:relative;display:grid;overflow:hidden auto;max-height:min(74vh,750px)}
        .viewport[hidden]{display:none}
        .space{grid-area:1/1;position:relative}
        .space .row{position:absolute;left:0;top:0;cursor:default}
        .row.odd{background:var(--stripe)}
        .space .row:hover{background:var(--chosen)}
        .row.selected{box-shadow:inset 3px 0 0 var(--accent)}
        .row.selected,.space .row.selected:hover{background:var(--chosen)}
        .bars{grid-area:1/1;position:sticky;top:0;justify-self:end;align-self:start;width:var(--times)}
        .bars{height:0;cursor:crosshair;touch-action:pan-y}
        .nothing{text-align:center;max-width:none;padding:18px}
        .key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12.5px;margin-top:10px;max-width:none}
        .sample{display:inline-block}
        .sample.bar{width:22px;height:10px;border-radius:3px;background:var(--finished)}
        .sample.wait{width:22px;border-top:2px dotted var(--muted);vertical-align:4px}
        .details{position:fixed;z-index:2;top:0;right:0;bottom:0;width:min(460px,100vw);overflow:auto}
        .details{background:var(--card);border-left:1px solid var(--rule);padding:26px 26px 40px}
        .details{box-shadow:-12px 0 40px rgb(0 0 0/.14);outline:0;font-size:14px}
        .details[hidden]{display:none}
        .details h3{font-size:19px;margin:0 40px 6px 0}
        .details h4{font-size:13px;font-weight:620;margin:22px 0 6px}
        .details .status{font-size:14px;margin-bottom:16px}
        .details dl{margin:0 0 16px}
        .details dl div{display:flex;gap:10px;margin:2px 0}
        .details dt{flex:none;width:72px;color:var(--muted)}
        .details dd{margin:0}
        .details ul{list-style:none;margin:0;padding:0}
        .details li{margin:3px 0;overflow-wrap:anywhere}
        .details li p{margin:0}
        .details ol{margin:0;padding-left:22px}
        .details .failure{padding:10px 14px;margin:8px 0 14px}
        .details .plain{color:var(--ink)}
        .details .close{position:absolute;top:18px;right:18px;font-size:19px;line-height:1;padding:5px 10px 7px}
        .map{position:relative;overflow:hidden}
        .map canvas{display:block;width:100%;height:min(70vh,640px);cursor:grab;touch-action:none}
        .map canvas:active{cursor:grabbing}
        .map .zoom{position:absolute;right:12px;top:12px}
        @media (max-width:1100px){.cell.slack,.cell.attempts{display:none}
        .row{grid-template-columns:minmax(0,1fr) 92px 102px 102px var(--times)}}
        @media (max-width:860px){.cell.state,.cell.waited{display:none}
        .row{grid-template-columns:minmax(0,1fr) 98px var(--times)}
        .timeless .row{grid-template-columns:minmax(0,1fr)}}
        @media (max-width:720px){.cell.name{padding-left:10px}.cell{padding:0 4px}.search{max-width:none}}

        """
}
