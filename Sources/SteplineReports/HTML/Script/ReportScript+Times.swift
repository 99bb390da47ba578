extension ReportScript {
    /// Times and numbers as people read them, just as ``TimeText`` writes them.
    static let times = #"""
        const threeDigits = (value) =>
            value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : String(Math.round(value));
        const padded = (value) => String(value).padStart(2, "0");

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

        // A time on an axis whose lines are so far apart: as many digits as tell two of them apart.
        function tickText(time, step) {
            if (time == 0) return "0";
            const seconds = time / 1e9;
            if (step >= 1e9 && seconds >= 100) {
                const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
                return `${h ? h + " h " : ""}${h || m ? m + " min " : ""}${s ? Math.round(s) + " s" : ""}`.trim();
            }
            const [unit, word] = time >= 1e9 ? [1e9, "s"] : time >= 1e6 ? [1e6, "ms"]
                : time >= 1e3 ? [1e3, "µs"] : [1, "ns"];
            const decimals = Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));
            return (time / unit).toFixed(Math.min(9, decimals)) + " " + word;
        }

        // How far apart lines are so that about so many fit: 1, 2 or 5 times a power of ten, or round minutes.
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
        const dateText = (time) =>
            new Date(source.began + time / 1e6).toISOString().replace("T", " ").replace("Z", " UTC");
        """#
}
