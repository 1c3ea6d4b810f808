//! Which scenarios a revision requires, read from the suite's own lists.

/// One scenario of the server's part of a revision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    /// Whether the revision requires it. Others are run for their information.
    pub(crate) required: bool,
}

/// The scenarios for servers in a requirements file, in its order.
///
/// The file is YAML, of which it uses little: top-level lists of names, and a list of entries `scenario`, `leg` and `reason`.
pub(crate) fn of_server(yaml: &str) -> Vec<Scenario> {
    let mut found: Vec<Scenario> = Vec::new();
    let mut section = "";
    let mut optional = None;
    for line in yaml.lines() {
        let line = line.split(" #").next().unwrap_or_default().trim_end();
        if let Some(title) = line.strip_suffix(':').filter(|title| !title.starts_with([' ', '-', '#'])) {
            section = title;
            continue;
        }
        let line = line.trim_start();
        match section {
            "server" => {
                if let Some(name) = line.strip_prefix("- ") {
                    found.push(Scenario { name: name.to_owned(), required: true });
                }
            }
            "not_scored" => {
                if let Some(name) = line.strip_prefix("- scenario: ") {
                    optional = Some(name.to_owned());
                } else if line == "leg: server" {
                    found.extend(optional.take().map(|name| Scenario { name, required: false }));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_for_servers_are_read() {
        let yaml = "\
# A comment: with a colon
server:
  - tools-list
  - caching # new
client:
  - auth/basic
not_scored:
  - scenario: auth/dpop
    leg: client
    reason: extension
  - scenario: tasks-lifecycle
    leg: server
    reason: extension
    note: >-
      pending
";
        let scenario = |name: &str, required| Scenario { name: name.to_owned(), required };
        let expected =
            [scenario("tools-list", true), scenario("caching", true), scenario("tasks-lifecycle", false)];
        assert_eq!(of_server(yaml), expected);
        assert_eq!(of_server("nothing"), []);
    }
}
