extension ReportScript {
    /// Which tasks are shown, in which order, and of which time: the state of the page, also in its address.
    static let choosing = #"""
        const view = {
            query: "", states: new Set(), onlyCritical: false, onlyVisible: false,
            sort: hasTimes ? "began" : "place", isTurned: false, from: 0, to: length, selected: -1,
        };
        // The rows that are listed, in their order; and the place of each row among them, or -1.
        let listed = new Uint32Array(0);
        const placeOf = new Int32Array(count).fill(-1);

        const orders = {
            place: { label: "order of adding", key: (row) => row },
            name: { label: "name", key: (row) => nameRanks()[row] },
            state: { label: "state", key: (row) => urgency[state[row]] },
            began: { label: "begin", key: (row) => total.began[row], needsTimes: true },
            ended: { label: "end", key: (row) => total.ended[row], needsTimes: true },
            took: { label: "time taken", key: (row) => hasRun(row) ? -total.took[row] : NaN, needsTimes: true },
            waited: {
                label: "time waited", key: (row) => hasRun(row) ? -total.waited[row] : NaN, needsTimes: true,
            },
            attempts: { label: "attempts", key: (row) => -attempt[row] },
            slack: { label: "slack", key: (row) => slack[row] < 0 ? NaN : slack[row], needsTimes: true },
        };
        // What went wrong comes first.
        const urgency = stateNames.map((name) =>
            ["failed", "cancelled", "blocked", "executing", "ready", "pending", "finished"].indexOf(name));

        // The place of each name among all, made when it is first needed: comparing names takes long.
        let ranks = null;
        function nameRanks() {
            if (ranks) return ranks;
            const compare = new Intl.Collator(undefined, { numeric: true }).compare;
            const full = Array.from(names, (_, row) => fullName(row));
            const sorted = Uint32Array.from(names.keys()).sort((a, b) => compare(full[a], full[b]) || a - b);
            ranks = new Float64Array(count);
            sorted.forEach((row, rank) => { ranks[row] = rank; });
            return ranks;
        }

        // All that a search looks at, made when it is first needed.
        let searched = null;
        function searchTexts() {
            if (searched) return searched;
            searched = new Array(count);
            for (let row = 0; row < count; row++) {
                let text = fullName(row);
                if (group[row]) text += "\n" + source.texts[group[row] - 1];
                if (error[row]) text += "\n" + errorTexts(error[row]).join("\n");
                searched[row] = text.toLowerCase();
            }
            return searched;
        }

        function overlaps(row) {
            for (let i = attempts.of[row]; i < attempts.of[row + 1]; i++) {
                const begin = attempts.begin[i];
                if (begin <= view.to && begin + attempts.time[i] >= view.from) return true;
            }
            return false;
        }

        function choose() {
            const words = view.query.toLowerCase().split(/\s+/).filter(Boolean);
            const texts = words.length ? searchTexts() : null;
            const chosen = [];
            for (let row = 0; row < count; row++) {
                if (view.states.size && !view.states.has(state[row])) continue;
                if (view.onlyCritical && !isCritical(row)) continue;
                if (texts && !words.every((word) => texts[row].includes(word))) continue;
                if (view.onlyVisible && !overlaps(row)) continue;
                chosen.push(row);
            }
            listed = Uint32Array.from(chosen);
            sortListed();
            placeOf.fill(-1);
            listed.forEach((row, place) => { placeOf[row] = place; });
        }

        function sortListed() {
            const turn = view.isTurned ? -1 : 1;
            const key = orders[view.sort].key, keys = new Float64Array(count);
            listed.forEach((row) => { keys[row] = key(row); });
            // What has no such time comes last, whichever way the order is turned.
            listed.sort((a, b) => {
                const [one, two] = [keys[a], keys[b]];
                if (one != one || two != two) return (one != one) - (two != two) || a - b;
                return turn * (one - two) || a - b;
            });
        }

        function readAddress() {
            const words = new URLSearchParams(location.hash.slice(1));
            view.query = words.get("search") || "";
            for (const word of (words.get("state") || "").split(",")) {
                if (stateNames.includes(word)) view.states.add(stateNames.indexOf(word));
            }
            view.onlyCritical = words.has("critical");
            const sort = (words.get("sort") || "").match(/^(-?)(.*)$/);
            if (Object.hasOwn(orders, sort[2]) && (hasTimes || !orders[sort[2]].needsTimes)) {
                [view.sort, view.isTurned] = [sort[2], sort[1] == "-"];
            }
            const [from, to] = ["from", "to"].map((name) => Number(words.get(name) ?? NaN));
            if (from >= 0 && to > from && to <= length) [view.from, view.to] = [from, to];
        }

        // Not at each turn of a wheel, as browsers allow only so many changes.
        let addressTimer = 0;
        function writeAddress() {
            clearTimeout(addressTimer);
            addressTimer = setTimeout(changeAddress, 250);
        }

        function changeAddress() {
            const words = new URLSearchParams();
            if (view.query) words.set("search", view.query);
            if (view.states.size) words.set("state", [...view.states].map((place) => stateNames[place]).join());
            if (view.onlyCritical) words.set("critical", "1");
            if (view.isTurned || view.sort != (hasTimes ? "began" : "place")) {
                words.set("sort", (view.isTurned ? "-" : "") + view.sort);
            }
            if (view.to - view.from < length) {
                words.set("from", Math.round(view.from));
                words.set("to", Math.round(view.to));
            }
            // Not every place a page is shown in has an address that can be changed.
            try { history.replaceState(null, "", "#" + words); } catch { /* the page works without */ }
        }
        """#
}
