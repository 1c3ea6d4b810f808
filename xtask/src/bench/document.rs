//! The tables as Markdown, and their place in a document that people write the rest of.

use std::fmt;

use super::{
    FLOOR,
    results::{CELLS, Results, Server},
};

/// What stands between these two lines is ours to replace.
const BEGIN: &str = "<!-- measured: `cargo xtask bench --write` replaces what follows -->";
const END: &str = "<!-- end of measured -->";

/// All that one run of `bench` found out.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) results: Results,
    /// Numbers of tools, and nanoseconds of a call.
    pub(crate) registry: Vec<(u64, f64)>,
    /// Crates of a minimal server, and seconds of a clean debug build.
    pub(crate) minimal: (usize, f64),
}

/// `document` with its measured part replaced, or with one at its end if it has none.
pub(crate) fn with(document: &str, measured: &Measured) -> String {
    let part = format!("{BEGIN}\n\n{measured}\n{END}");
    match (document.find(BEGIN), document.find(END)) {
        (Some(begin), Some(end)) if begin < end => {
            format!("{}{part}{}", &document[..begin], &document[end + END.len()..])
        }
        _ if document.is_empty() => format!("# Benchmarks\n\n{part}\n"),
        _ => format!("{}\n\n{part}\n", document.trim_end()),
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = &self.results;
        writeln!(
            f,
            "Measured on {}: {}. {} rounds; medians.\n",
            results.date, results.machine, results.rounds
        )?;
        let columns = CELLS.iter().map(|(_, title)| *title);
        let more = ["p99 ms, 16", "CPU s/10k echo", "/10k lists", "/10k flows", "MiB"];
        row(f, "server", columns.clone().chain(more).map(str::to_owned))?;
        row(f, "---", columns.clone().chain(more).map(|_| "---:".to_owned()))?;
        let servers = results.ranked();
        for server in &servers {
            row(f, &server.name, cells(server))?;
        }
        if let Some(floor) = results.server(FLOOR) {
            writeln!(f, "\nAs a share of {FLOOR}, round by round:\n")?;
            row(f, "server", columns.clone().map(str::to_owned))?;
            row(f, "---", columns.map(|_| "---:".to_owned()))?;
            for server in &servers {
                let share = |cell| {
                    server
                        .share_of(floor, cell)
                        .map_or("-".to_owned(), |share| format!("{:.0}%", share * 100.0))
                };
                row(f, &server.name, (0..CELLS.len()).map(share))?;
            }
        }
        writeln!(
            f,
            "\nOne `tools/call`, client and server in one process, by the number of tools in the server:\n"
        )?;
        row(f, "tools", ["ns a call".to_owned()].into_iter())?;
        row(f, "---:", ["---:".to_owned()].into_iter())?;
        for (tools, nanoseconds) in &self.registry {
            row(f, &thousands(&tools.to_string()), [grouped(*nanoseconds)].into_iter())?;
        }
        let (crates, seconds) = self.minimal;
        writeln!(
            f,
            "\nA minimal server (`server`, `http`) has {crates} crates; a clean debug build takes {seconds:.0} s."
        )
    }
}

fn cells(server: &Server) -> impl Iterator<Item = String> {
    let middles: Vec<_> = (0..CELLS.len()).map(|cell| server.middle(cell)).collect();
    let shown = |number: Option<f64>| number.map_or("-".to_owned(), grouped);
    let mut cells: Vec<_> =
        middles.iter().map(|middle| shown(middle.map(|middle| middle.per_second))).collect();
    cells.push(shown(middles[1].map(|middle| middle.p99_microseconds / 1000.0)));
    cells.extend([1, 3, 4].map(|cell| shown(middles[cell].map(|middle| middle.cpu_seconds_per_10k))));
    cells.push(shown(server.memory_mib()));
    cells.into_iter()
}

fn row(f: &mut fmt::Formatter<'_>, first: &str, rest: impl Iterator<Item = String>) -> fmt::Result {
    write!(f, "| {first} |")?;
    for cell in rest {
        write!(f, " {cell} |")?;
    }
    writeln!(f)
}

/// With commas between the thousands; two digits after the point below ten.
fn grouped(number: f64) -> String {
    if number < 10.0 {
        return format!("{number:.2}");
    }
    thousands(&format!("{number:.0}"))
}

fn thousands(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{super::results::tests::example, *};

    fn measured() -> Measured {
        Measured { results: example(), registry: vec![(1, 812.0), (10_000, 1815.4)], minimal: (47, 21.4) }
    }

    #[test]
    fn the_tables_show_every_server() {
        let text = measured().to_string();
        assert!(text.starts_with("Measured on 2026-12-01: 2 CPUs, Xeon"), "{text}");
        assert!(
            text.contains(
                "| floor-hyper | 1,000 | 1,000 | 1,000 | 1,000 | 1,000 | 0.25 | 0.50 | 0.50 | 0.50 | 3.00 |"
            ),
            "{text}"
        );
        assert!(text.contains("| roundtrip | 50% | 50% | 50% | 50% | 50% |"), "{text}");
        assert!(text.contains("| 1 | 812 |\n| 10,000 | 1,815 |"), "{text}");
        assert!(text.contains("47 crates; a clean debug build takes 21 s."), "{text}");
    }

    #[test]
    fn only_the_measured_part_of_a_document_changes() {
        let first = with("", &measured());
        assert!(first.starts_with("# Benchmarks\n"));
        let edited = format!("before\n\n{BEGIN}\nold\n{END}\n\nafter\n");
        let second = with(&edited, &measured());
        assert!(
            second.starts_with("before\n\n") && second.ends_with("\n\nafter\n") && !second.contains("old")
        );
        assert_eq!(with(&second, &measured()), second);
        assert!(with("before\n", &measured()).starts_with("before\n\n<!--"));
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(
            [0.5, 12.0, 999.6, 1234.0, 1_234_567.0].map(grouped),
            ["0.50", "12", "1,000", "1,234", "1,234,567"]
        );
    }
}
