extension ReportScript {
    /// Reads what the page knows (``ReportData``): of each task, of each attempt, of each relation.
    static let reading = #"""
        const byID = (id) => document.getElementById(id);
        const source = JSON.parse(byID("run-data").textContent);

        // As ReportColumn writes numbers: five bits a digit, the lowest first, and the sign at the very begin.
        const digits = new Uint8Array(128);
        [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
            .forEach((digit, value) => { digits[digit.charCodeAt(0)] = value; });

        function column(name) {
            const text = source[name], isRuns = text[0] == "~", numbers = [];
            let value = 0, scale = 0, sign = 1;
            for (let i = isRuns ? 1 : 0; i < text.length; i++) {
                const digit = digits[text.charCodeAt(i)];
                if (scale == 0) {
                    sign = digit & 1 ? -1 : 1;
                    value = (digit & 31) >> 1;
                    scale = 16;
                } else {
                    value += (digit & 31) * scale;
                    scale *= 32;
                }
                if (digit & 32) continue;
                numbers.push(sign * value);
                scale = 0;
            }
            if (!isRuns) return Float64Array.from(numbers);
            let count = 0;
            for (let i = 1; i < numbers.length; i += 2) count += numbers[i];
            const all = new Float64Array(count);
            for (let i = 0, place = 0; i < numbers.length; i += 2) {
                all.fill(numbers[i], place, place += numbers[i + 1]);
            }
            return all;
        }

        // Where the part of each begins in a list of all parts, and where the last one ends.
        function starts(counts) {
            const places = new Uint32Array(counts.length + 1);
            for (let i = 0; i < counts.length; i++) places[i + 1] = places[i] + counts[i];
            return places;
        }

        const count = source.names.length, length = Math.max(1, source.length);
        const [state, attempt, slack, marks] = ["state", "attempt", "slack", "marks"].map(column);
        const [error, group] = ["error", "group"].map(column);
        const states = source.states, stateNames = states.map((word) => word.toLowerCase());
        const isCritical = (row) => marks[row] & 1;

        const names = new Array(count);
        {
            const shared = column("shared");
            for (let row = 0, last = ""; row < count; row++) {
                names[row] = last = last.slice(0, shared[row]) + source.names[row];
            }
        }
        // The task around each, or -1; and its number among those beside it, from 1.
        const parent = column("parent").map((up, row) => up ? row - up : -1);
        const number = new Uint32Array(count);
        {
            const last = new Map();
            for (let row = 0; row < count; row++) {
                number[row] = (last.get(parent[row]) || 0) + 1;
                last.set(parent[row], number[row]);
            }
        }
        const around = (row) => parent[row] < 0 ? "" : around(parent[row]) + names[parent[row]] + " › ";
        const fullName = (row) => around(row) + names[row];
        const identifier = (row) => (parent[row] < 0 ? "" : identifier(parent[row]) + ".") + number[row];

        const attempts = {
            of: starts(column("kept")), number: column("number"), begin: column("begin"), time: column("time"),
            ending: column("ending"), error: column("attemptError"), worker: column("worker"),
            waits: starts(column("waits")),
        };
        const workerText = (i) => attempts.worker[i] ? ` on ${source.texts[attempts.worker[i] - 1]}` : "";
        const waits = { cause: column("cause"), time: column("waitTime") };
        for (let i = 1; i < attempts.begin.length; i++) attempts.begin[i] += attempts.begin[i - 1];
        const edges = {
            of: starts(column("edges")), from: column("from"), kind: column("kind"), key: column("key"),
        };

        const hasTimes = attempts.begin.length > 0;
        const waited = new Float64Array(attempts.begin.length);
        for (let i = 0; i < waited.length; i++) {
            for (let w = attempts.waits[i]; w < attempts.waits[i + 1]; w++) waited[i] += waits.time[w];
        }
        // Of each task: when it first began and last ended (not a number if it never ran), its times in all.
        const total = {
            began: new Float64Array(count).fill(NaN), ended: new Float64Array(count).fill(NaN),
            took: new Float64Array(count), waited: new Float64Array(count),
        };
        for (let row = 0; row < count; row++) {
            for (let i = attempts.of[row]; i < attempts.of[row + 1]; i++) {
                if (i == attempts.of[row]) total.began[row] = attempts.begin[i];
                total.ended[row] = attempts.begin[i] + attempts.time[i];
                total.took[row] += attempts.time[i];
                total.waited[row] += waited[i];
            }
        }
        const hasRun = (row) => attempts.of[row + 1] > attempts.of[row];
        const errorTexts = (place) => place ? source.errors[place - 1].map((text) => source.texts[text]) : [];
        """#
}
