//! The numbers that a run of the lab leaves behind.

use serde_json::Value;

use crate::Result;

/// What was measured: a key in the lab's file, and a column of our table.
pub(crate) const CELLS: [(&str, &str); 5] = [
    ("echo1", "echo/s, 1 connection"),
    ("echo16", "16"),
    ("echo64", "64"),
    ("list16", "list of 50 tools/s, 16"),
    ("mrtr16", "two-round flows/s, 16"),
];

/// One run.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) machine: String,
    pub(crate) date: String,
    pub(crate) rounds: u64,
    pub(crate) servers: Vec<Server>,
}

/// One server in it: for each of [`CELLS`], one window a round.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    cells: Vec<Vec<Option<Window>>>,
    memory_kib: Vec<f64>,
}

/// A stretch of time under load.
#[derive(Clone, Copy, Debug)]
struct Window {
    per_second: f64,
    p99_microseconds: f64,
    cpu_seconds_per_10k: f64,
    /// How fast the machine was meanwhile, in the lab's own unit.
    speed: f64,
    /// Whether the machine was quiet and at full speed.
    good: bool,
}

/// The middle of the windows that are worth trusting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Middle {
    pub(crate) per_second: f64,
    pub(crate) p99_microseconds: f64,
    pub(crate) cpu_seconds_per_10k: f64,
}

impl Results {
    /// Reads a results file of the lab.
    pub(crate) fn read(json: &str) -> Result<Self> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| format!("the results are not JSON: {error}"))?;
        let env = &value["env"];
        let text = |member: &str| env[member].as_str().unwrap_or("?").to_owned();
        let servers = value["servers"].as_object().ok_or("the results name no servers")?;
        let servers = servers.iter().map(|(name, server)| Server::read(name, server)).collect();
        Ok(Self {
            machine: format!(
                "{} CPUs, {}, Linux {}, {}",
                env["cpus"],
                text("cpu"),
                text("kernel"),
                text("rustc")
            ),
            date: text("date").split(' ').next().unwrap_or_default().to_owned(),
            rounds: value["rounds_done"].as_u64().unwrap_or_default(),
            servers,
        })
    }

    /// The servers, the fastest first.
    pub(crate) fn ranked(&self) -> Vec<&Server> {
        let mut servers: Vec<_> = self.servers.iter().collect();
        let speed = |server: &Server| server.middle(1).map_or(0.0, |middle| middle.per_second);
        servers.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        servers
    }

    pub(crate) fn server(&self, name: &str) -> Option<&Server> {
        self.servers.iter().find(|server| server.name == name)
    }
}

impl Server {
    fn read(name: &str, value: &Value) -> Self {
        let windows =
            |cell: &str| value["http"][cell].as_array().into_iter().flatten().map(Window::read).collect();
        let memory = value["rss_after"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        Self {
            name: name.to_owned(),
            cells: CELLS.iter().map(|(key, _)| windows(key)).collect(),
            memory_kib: memory,
        }
    }

    /// The middle of a cell: of its good windows if there are three, else of all that had no error.
    pub(crate) fn middle(&self, cell: usize) -> Option<Middle> {
        let all: Vec<_> = self.cells[cell].iter().flatten().collect();
        let good: Vec<_> = all.iter().copied().filter(|window| window.good).collect();
        let windows = if good.len() >= 3 { good } else { all };
        let of = |field: fn(&Window) -> f64| median(windows.iter().map(|window| field(window)).collect());
        Some(Middle {
            per_second: of(|window| window.per_second)?,
            p99_microseconds: of(|window| window.p99_microseconds)?,
            cpu_seconds_per_10k: of(|window| window.cpu_seconds_per_10k)?,
        })
    }

    /// Our speed as a share of `other`'s: the middle over the rounds of the share within a round.
    pub(crate) fn share_of(&self, other: &Self, cell: usize) -> Option<f64> {
        let rounds = self.cells[cell].iter().zip(&other.cells[cell]);
        let work = |window: &Window| window.per_second / window.speed;
        let share = |(ours, theirs): (&Option<Window>, &Option<Window>)| {
            Some(work(ours.as_ref()?) / work(theirs.as_ref()?))
        };
        median(rounds.filter_map(share).collect())
    }

    /// MiB in memory after the load.
    pub(crate) fn memory_mib(&self) -> Option<f64> {
        median(self.memory_kib.clone()).map(|kib| kib / 1024.0)
    }
}

impl Window {
    /// Nothing, if one answer was wrong.
    fn read(value: &Value) -> Option<Self> {
        if value["error"].is_string() || value["errors"].as_u64().is_some_and(|errors| errors > 0) {
            return None;
        }
        Some(Self {
            per_second: value["per_s"].as_f64()?,
            p99_microseconds: value["us"]["p99"].as_f64()?,
            cpu_seconds_per_10k: value["server_cpu_s_per_10k"].as_f64()?,
            speed: value["speed"].as_f64().filter(|speed| *speed > 0.0).unwrap_or(1.0),
            good: value["good"].as_bool().unwrap_or(false),
        })
    }
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(numbers[half]),
        _ => Some(f64::midpoint(numbers[half - 1], numbers[half])),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    /// Two servers over three rounds; the second does half of what the first does in each.
    pub(crate) fn example() -> Results {
        let window = |per_second: f64, speed: f64, good: bool| json!({ "per_s": per_second, "us": { "p99": 250.0 }, "server_cpu_s_per_10k": 0.5, "speed": speed, "good": good, "errors": 0 });
        let server = |factor: f64| {
            let windows = json!([
                window(1000.0 * factor, 80.0, true),
                window(500.0 * factor, 40.0, false),
                window(1200.0 * factor, 80.0, true)
            ]);
            let http: serde_json::Map<_, _> =
                CELLS.iter().map(|(key, _)| ((*key).to_owned(), windows.clone())).collect();
            json!({ "http": http, "rss_after": [2048, 4096, 3072] })
        };
        let file = json!({
            "env": { "cpus": 2, "cpu": "Xeon", "kernel": "6.1", "rustc": "rustc 1.95.0", "date": "2026-12-01 10:00:00" },
            "rounds_done": 3,
            "servers": { "floor-hyper": server(1.0), "roundtrip": server(0.5) },
        });
        Results::read(&file.to_string()).unwrap()
    }

    #[test]
    fn a_run_is_read_and_ranked() {
        let results = example();
        assert_eq!(results.machine, "2 CPUs, Xeon, Linux 6.1, rustc 1.95.0");
        assert_eq!((results.date.as_str(), results.rounds), ("2026-12-01", 3));
        let ranked: Vec<_> = results.ranked().iter().map(|server| server.name.clone()).collect();
        assert_eq!(ranked, ["floor-hyper", "roundtrip"]);
        let ours = results.server("roundtrip").unwrap();
        // Two good windows are too few, so all three count.
        assert_eq!(
            ours.middle(0),
            Some(Middle { per_second: 500.0, p99_microseconds: 250.0, cpu_seconds_per_10k: 0.5 })
        );
        assert_eq!(ours.memory_mib(), Some(3.0));
        assert_eq!(ours.share_of(results.server("floor-hyper").unwrap(), 3), Some(0.5));
    }

    #[test]
    fn a_window_with_a_wrong_answer_does_not_count() {
        let window = json!({ "per_s": 1.0, "us": { "p99": 1.0 }, "server_cpu_s_per_10k": 1.0, "errors": 1 });
        assert!(Window::read(&window).is_none());
        assert!(Window::read(&json!({ "error": "loadgen exited" })).is_none());
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![]), None);
    }
}
