//! What the suite found, read from the files it leaves behind.

use std::{collections::BTreeMap, fmt, fs, path::Path};

use serde_json::Value;

use super::scenarios::Scenario;
use crate::Result;

/// One thing that a scenario looked at.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Check {
    id: String,
    status: String,
    message: String,
}

/// The checks of each scenario that was run.
pub(crate) type Found = BTreeMap<String, Vec<Check>>;

/// Reads `folder`, where each scenario has a folder of its own named `server-<scenario>-<time>`.
pub(crate) fn read(folder: &Path) -> Result<Found> {
    let mut found = Found::new();
    let entries =
        fs::read_dir(folder).map_err(|_| "the suite left no results; see suite.log in target".to_owned())?;
    for entry in entries.flatten() {
        let Ok(text) = fs::read_to_string(entry.path().join("checks.json")) else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        found.insert(scenario_of(&name).to_owned(), checks(&text)?);
    }
    Ok(found)
}

/// `server-tools-list-2026-01-02T03-04-05-678Z` is of `tools-list`.
fn scenario_of(folder: &str) -> &str {
    let name = folder.strip_prefix("server-").unwrap_or(folder);
    let is_time = |text: &str| text.ends_with('Z') && text.chars().nth("2026-01-02".len()) == Some('T');
    let mut dashes = name.match_indices('-').map(|(at, _)| at);
    dashes.find(|at| is_time(&name[at + 1..])).map_or(name, |at| &name[..at])
}

fn checks(json: &str) -> Result<Vec<Check>> {
    let value: Value =
        serde_json::from_str(json).map_err(|error| format!("a result of the suite is not JSON: {error}"))?;
    let text = |check: &Value, member: &str| check[member].as_str().unwrap_or_default().to_owned();
    let of = |check: &Value| {
        let message = ["errorMessage", "description"]
            .map(|member| text(check, member))
            .into_iter()
            .find(|text| !text.is_empty());
        Check { id: text(check, "id"), status: text(check, "status"), message: message.unwrap_or_default() }
    };
    Ok(value.as_array().into_iter().flatten().map(of).collect())
}

/// How a scenario ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ending {
    /// At least one check succeeded, none failed, none warned.
    Pass,
    /// None failed, at least one warned.
    Warning,
    /// One failed, or none succeeded, or it never ended.
    Fail,
    /// The server doesn't claim what the scenario is about.
    Skipped,
}

/// A scenario and how it ended.
#[derive(Debug)]
pub(crate) struct Verdict {
    scenario: Scenario,
    ending: Ending,
    passed: usize,
    complaints: Vec<String>,
}

impl Verdict {
    pub(crate) fn of(scenario: Scenario, found: &Found) -> Self {
        let Some(checks) = found.get(&scenario.name) else {
            let complaints = vec!["it never ended".to_owned()];
            return Self { scenario, ending: Ending::Fail, passed: 0, complaints };
        };
        let with = |status: &'static str| checks.iter().filter(move |check| check.status == status);
        // That the messages fit the schema says nothing of a scenario that was skipped.
        let own = |check: &&Check| !check.id.starts_with("wire-schema");
        let (failed, warned, passed) =
            (with("FAILURE").count(), with("WARNING").count(), with("SUCCESS").count());
        let ending = if failed > 0 {
            Ending::Fail
        } else if with("SUCCESS").any(|check| own(&check)) {
            if warned > 0 { Ending::Warning } else { Ending::Pass }
        } else if with("SKIPPED").next().is_some() {
            Ending::Skipped
        } else {
            Ending::Fail
        };
        let mut complaints: Vec<_> = with("FAILURE")
            .chain(with("WARNING"))
            .map(|check| format!("{}: {}", check.id, check.message))
            .collect();
        if ending == Ending::Fail && complaints.is_empty() {
            complaints.push("no check succeeded".to_owned());
        }
        Self { scenario, ending, passed, complaints }
    }
}

/// All scenarios of one revision.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) leg: String,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Report {
    /// Whether everything that is required passed, without a warning.
    pub(crate) fn is_clean(&self) -> bool {
        self.required().all(|verdict| verdict.ending == Ending::Pass)
    }

    /// Such as `37 of 37, 0 failed, 0 with warnings`.
    pub(crate) fn summary(&self) -> String {
        let count = |ending| self.required().filter(|verdict| verdict.ending == ending).count();
        let (passed, warned, skipped) = (count(Ending::Pass), count(Ending::Warning), count(Ending::Skipped));
        let failed = count(Ending::Fail);
        let all = self.required().count();
        format!("{passed} of {all}, {failed} failed, {warned} with warnings, {skipped} skipped")
    }

    fn required(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|verdict| verdict.scenario.required)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for verdict in &self.verdicts {
            let ending = match verdict.ending {
                Ending::Pass => "pass",
                Ending::Warning => "WARN",
                Ending::Fail => "FAIL",
                Ending::Skipped => "skip",
            };
            // What isn't required is in small letters whatever its end, so that a glance finds what counts.
            let (ending, note) = if verdict.scenario.required {
                (ending.to_owned(), "")
            } else {
                (ending.to_lowercase(), " (not required)")
            };
            writeln!(f, "{ending} {} ({} checks){note}", verdict.scenario.name, verdict.passed)?;
            if verdict.scenario.required {
                for complaint in &verdict.complaints {
                    writeln!(f, "     {complaint}")?;
                }
            }
        }
        writeln!(f, "{}: {}", self.leg, self.summary())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn verdict(required: bool, statuses: &[&str]) -> Verdict {
        let made: Vec<_> = statuses
            .iter()
            .map(|status| json!({ "id": "c", "status": status, "errorMessage": "why" }))
            .collect();
        let found = Found::from([("s".to_owned(), checks(&json!(made).to_string()).unwrap())]);
        Verdict::of(Scenario { name: "s".to_owned(), required }, &found)
    }

    #[test]
    fn a_scenario_ends_as_its_worst_check() {
        let table: [(&[&str], Ending); 6] = [
            (&["SUCCESS", "INFO", "SKIPPED"], Ending::Pass),
            (&["SUCCESS", "WARNING"], Ending::Warning),
            (&["SUCCESS", "WARNING", "FAILURE"], Ending::Fail),
            (&["WARNING"], Ending::Fail),
            (&["SKIPPED"], Ending::Skipped),
            (&[], Ending::Fail),
        ];
        for (statuses, ending) in table {
            assert_eq!(verdict(true, statuses).ending, ending, "{statuses:?}");
        }
        let unseen = Verdict::of(Scenario { name: "other".to_owned(), required: true }, &Found::new());
        assert_eq!((unseen.ending, unseen.complaints), (Ending::Fail, vec!["it never ended".to_owned()]));
    }

    #[test]
    fn a_schema_check_alone_is_not_a_pass() {
        let only =
            json!([{ "id": "wire-schema-valid", "status": "SUCCESS" }, { "id": "c", "status": "SKIPPED" }]);
        let found = Found::from([("s".to_owned(), checks(&only.to_string()).unwrap())]);
        let verdict = Verdict::of(Scenario { name: "s".to_owned(), required: true }, &found);
        assert_eq!(verdict.ending, Ending::Skipped);
    }

    #[test]
    fn a_report_is_clean_without_failure_or_warning_of_what_is_required() {
        let report = |verdicts| Report { leg: "2026-07-28".to_owned(), verdicts };
        let clean = report(vec![verdict(true, &["SUCCESS"]), verdict(false, &["FAILURE"])]);
        assert!(clean.is_clean());
        assert_eq!(clean.summary(), "1 of 1, 0 failed, 0 with warnings, 0 skipped");
        assert_eq!(clean.to_string().lines().nth(1), Some("fail s (0 checks) (not required)"));
        for bad in ["WARNING", "FAILURE"] {
            let report = report(vec![verdict(true, &["SUCCESS", bad])]);
            assert!(!report.is_clean(), "{bad}");
            assert!(report.to_string().contains("c: why"));
        }
        assert!(!report(vec![verdict(true, &["SKIPPED"])]).is_clean());
    }

    #[test]
    fn a_folder_tells_its_scenario() {
        assert_eq!(scenario_of("server-tools-list-2026-01-02T03-04-05-678Z"), "tools-list");
        assert_eq!(scenario_of("server-json-schema-2020-12-2026-01-02T03-04-05-678Z"), "json-schema-2020-12");
        assert_eq!(scenario_of("server-sep-2164-resource-not-found"), "sep-2164-resource-not-found");
    }
}
