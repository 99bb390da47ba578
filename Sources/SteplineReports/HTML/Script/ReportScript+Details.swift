extension ReportScript {
    /// All that is known of one task, beside the list.
    static let details = #"""
        const panel = byID("details");
        const mostNames = 50;
        let before = null;

        function showDetails(row) {
            if (row < 0) return;
            if (panel.hidden) before = document.activeElement;
            panel.hidden = false;
            select(row);
            panel.focus({ preventScroll: true });
        }

        function hideDetails() {
            if (panel.hidden) return false;
            panel.hidden = true;
            (before?.isConnected ? before : grid).focus({ preventScroll: true });
            return true;
        }

        function fillDetails(row) {
            const close = element("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
            close.onclick = hideDetails;
            const heading = element("h3", { id: "details-name" });
            if (around(row)) heading.append(element("span", { class: "quiet" }, around(row)));
            heading.append(element("bdi", {}, names[row] || "\u00A0"));
            const words = element("p", { class: "status " + stateNames[state[row]] },
                mark(stateNames[state[row]]), " ", states[state[row]]);
            const more = ["task " + identifier(row)];
            if (group[row]) more.push("of " + source.texts[group[row] - 1]);
            if (marks[row] & 2) more.push("cleans up");
            if (marks[row] & 4) more.push("a condition, to be fulfilled from outside");
            words.append(element("span", { class: "quiet" }, " · " + more.join(" · ")));
            if (isCritical(row)) words.append(element("span", { class: "critical" }, " ◆ critical path"));
            panel.replaceChildren(close, heading, words, figures(row));
            if (error[row]) panel.append(errorElement(error[row]));
            if (hasRun(row)) {
                const zoomHere = element("button", { type: "button" }, "Zoom to it");
                zoomHere.onclick = () => zoomToTask(row);
                panel.append(zoomHere, element("h4", {}, "Attempts"), attemptList(row));
            }
            panel.append(...relations(row));
            panel.scrollTop = 0;
        }

        function figures(row) {
            const pairs = [];
            if (hasRun(row)) {
                const after = timeText(total.began[row]).replaceAll(" ", "\u00A0");
                pairs.push(["Began", `${dateText(total.began[row])}, after\u00A0${after}`]);
                pairs.push(["Took", timeText(total.took[row])], ["Waited", timeText(total.waited[row])]);
            }
            if (slack[row] >= 0) {
                pairs.push(["Slack", slack[row]
                    ? `could have ended ${timeText(slack[row])} later without making the whole longer` : "none"]);
            }
            if (attempt[row] != 1) pairs.push(["Attempts", String(attempt[row])]);
            return element("dl", {}, ...pairs.map(([title, text]) =>
                element("div", {}, element("dt", {}, title), element("dd", {}, text))));
        }

        function errorElement(place) {
            const [first, ...causes] = errorTexts(place);
            return element("div", { class: "failure" }, element("p", { class: "error" }, first),
                ...causes.map((text) => element("p", { class: "cause" }, "caused by: " + text)));
        }

        function attemptList(row) {
            const list = element("ol", {});
            for (let i = attempts.of[row]; i < attempts.of[row + 1]; i++) {
                const words = `${source.endings[attempts.ending[i]]} after ${timeText(attempts.time[i])}, `
                    + `began at ${timeText(attempts.begin[i])}${workerText(i)}`;
                const item = element("li", { value: attempts.number[i] },
                    mark(endingStates[attempts.ending[i]]), " " + words);
                for (let w = attempts.waits[i]; w < attempts.waits[i + 1]; w++) {
                    item.append(element("p", { class: "quiet" },
                        `waited ${timeText(waits.time[w])} for ${source.texts[waits.cause[w]]}`));
                }
                const isLast = i + 1 == attempts.of[row + 1];
                if (attempts.error[i] && !(isLast && attempts.error[i] == error[row])) {
                    item.append(errorElement(attempts.error[i]));
                }
                list.append(item);
            }
            return list;
        }

        // MARK: Relations

        function relations(row) {
            const [after, then, inside] = [[], [], []];
            for (let i = edges.of[row]; i < edges.of[row + 1]; i++) {
                after.push([row - edges.from[i], edgeWords(i)]);
            }
            for (let other = row + 1; other < count; other++) {
                if (parent[other] == row) inside.push([other, ""]);
                for (let i = edges.of[other]; i < edges.of[other + 1]; i++) {
                    if (other - edges.from[i] == row) then.push([other, edgeWords(i)]);
                }
            }
            const isAtFault = (other) => ["failed", "cancelled", "blocked"].includes(stateNames[state[other]]);
            const causes = stateNames[state[row]] == "blocked" ? after.filter(([other]) => isAtFault(other)) : [];
            const parts = [
                ["Blocked by", causes], ["After", after], ["Before", then], ["Inside it", inside],
                ["Inside of", parent[row] < 0 ? [] : [[parent[row], ""]]],
            ];
            return parts.filter(([, rows]) => rows.length).flatMap(([title, rows]) => {
                const list = element("ul", {}, ...rows.slice(0, mostNames).map(taskLink));
                const rest = rows.length - mostNames;
                if (rest > 0) list.append(element("li", { class: "quiet" }, `… and ${grouped(rest)} more`));
                return [element("h4", {}, title), list];
            });
        }

        function edgeWords(i) {
            const words = edges.key[i] ? ["as " + source.texts[edges.key[i] - 1]] : [];
            if (edges.kind[i] & 1) words.push("may fail");
            if (edges.kind[i] & 2) words.push("cleanup");
            return words.join(", ");
        }

        function taskLink([row, words]) {
            const button = element("button", { type: "button", class: "plain" },
                mark(stateNames[state[row]]), element("bdi", {}, " " + (names[row] || "\u00A0")));
            button.onclick = () => showDetails(row);
            return element("li", {}, button, words ? element("span", { class: "quiet" }, " " + words) : "");
        }
        """#
}
