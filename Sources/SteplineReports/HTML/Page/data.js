// Reads the run's data, which ReportData writes, and formats times.

const byID = (id) => document.getElementById(id);
const run = JSON.parse(byID("run-data").textContent);
const { tasks, states } = run;
const runLength = Math.max(1, run.length);
const stateNames = states.map((word) => word.toLowerCase());

// Index 0 means that there is no text.
const textAt = (index) => index ? run.texts[index - 1] : "";

// Tasks are in the order of adding, each before those inside it. Times are in nanoseconds from the begin of the run.
tasks.forEach((task, row) => {
    const parent = tasks[task.inside];
    task.row = row;
    task.prefix = parent ? parent.prefix + parent.name + " › " : "";
    task.stateName = stateNames[task.state];
    task.began = task.ended = NaN;
    task.took = task.waited = 0;
    task.ran = (task.ran ?? []).map(([number, begin, time, ending, error, worker, ...waits]) => {
        const attempt = { number, begin, end: begin + time, time, error, worker, waited: 0, waits: [] };
        [attempt.ending, attempt.stateName] = run.endings[ending];
        for (let i = 0; i < waits.length; i += 2) {
            attempt.waits.push({ cause: textAt(waits[i]), time: waits[i + 1] });
            attempt.waited += waits[i + 1];
        }
        if (!(task.began <= begin)) task.began = begin;
        task.ended = attempt.end;
        task.took += time;
        task.waited += attempt.waited;
        return attempt;
    });
});

const hasTimes = tasks.some((task) => task.ran.length);
const hasRun = (task) => task.ran.length > 0;
const fullName = (task) => task.prefix + task.name;

// The text that a search looks in. Built by the first search.
function searchText(task) {
    return task.searched ??= (fullName(task) + "\n" + textAt(task.error)).toLowerCase();
}

const threeDigits = (value) =>
    value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : String(Math.round(value));
const padded = (value) => String(value).padStart(2, "0");

// Formats a time as TimeText does.
function timeText(time) {
    if (!(time > 0)) return "0 s";
    if (time < 1000) return Math.round(time) + " ns";
    if (time < 999500) return threeDigits(time / 1e3) + " µs";
    if (time < 999500000) return threeDigits(time / 1e6) + " ms";
    if (time < 99950000000) return threeDigits(time / 1e9) + " s";
    const seconds = Math.round(time / 1e9);
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${padded(seconds % 60)} s`;
    return `${Math.floor(seconds / 3600)} h ${padded(Math.floor(seconds / 60) % 60)} min`;
}

// Formats a time on an axis, with enough digits to tell ticks apart that are `step` apart.
function tickText(time, step) {
    if (time == 0) return "0";
    const seconds = time / 1e9;
    if (step >= 1e9 && seconds >= 100) {
        const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
        return `${h ? h + " h " : ""}${h || m ? m + " min " : ""}${s ? Math.round(s) + " s" : ""}`.trim();
    }
    const [unit, word] = time >= 1e9 ? [1e9, "s"] : time >= 1e6 ? [1e6, "ms"] : time >= 1e3 ? [1e3, "µs"] : [1, "ns"];
    const decimals = Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));
    return (time / unit).toFixed(Math.min(9, decimals)) + " " + word;
}

// The smallest step with at most `most` ticks: 1, 2 or 5 times a power of ten, or a round number of minutes.
function tickStep(span, most) {
    const least = span / Math.max(1, most);
    if (least > 10e9) {
        const seconds = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
        const fitting = seconds.find((step) => step * 1e9 >= least);
        return fitting ? fitting * 1e9 : Math.ceil(least / 86400e9) * 86400e9;
    }
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009");
const counted = (value, noun) => `${grouped(value)} ${noun}${value == 1 ? "" : "s"}`;
const limited = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
