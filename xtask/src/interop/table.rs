//! A table of checks: a row for each check, a column for each pair.

use std::fmt;

/// What each pair said of each check.
#[derive(Debug, Default)]
pub(crate) struct Table {
    checks: Vec<String>,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    pair: String,
    cells: Vec<(String, Result<(), String>)>,
}

impl Column {
    /// A check that a pair says nothing of is red: its program ended before it.
    fn cell(&self, check: &str) -> Result<(), &str> {
        match self.cells.iter().find(|(name, _)| name == check) {
            Some((_, Ok(()))) => Ok(()),
            Some((_, Err(why))) => Err(why),
            None => Err("it never ran"),
        }
    }
}

impl Table {
    /// Adds a column from lines such as `ok NAME` and `failed NAME: why`; others are a program's chatter.
    pub(crate) fn add(&mut self, pair: &str, lines: &str) {
        let mut cells = Vec::new();
        for line in lines.lines() {
            let (name, cell) = if let Some(name) = line.strip_prefix("ok ") {
                (name, Ok(()))
            } else if let Some(rest) = line.strip_prefix("failed ") {
                let (name, why) = rest.split_once(": ").unwrap_or((rest, "no reason given"));
                (name, Err(why.to_owned()))
            } else {
                continue;
            };
            if !self.checks.iter().any(|check| check == name) {
                self.checks.push(name.to_owned());
            }
            cells.push((name.to_owned(), cell));
        }
        self.columns.push(Column { pair: pair.to_owned(), cells });
    }

    /// How many cells are not as they should be. A table without a check is red as a whole.
    pub(crate) fn red(&self) -> usize {
        if self.checks.is_empty() {
            return self.columns.len().max(1);
        }
        let red = |column: &Column| self.checks.iter().filter(|check| column.cell(check).is_err()).count();
        self.columns.iter().map(red).sum()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.checks.iter().map(String::len).max().unwrap_or_default();
        write!(f, "{:first$}", "")?;
        for column in &self.columns {
            write!(f, "  {}", column.pair)?;
        }
        writeln!(f)?;
        for check in &self.checks {
            write!(f, "{check:first$}")?;
            for column in &self.columns {
                let cell = if column.cell(check).is_ok() { "ok" } else { "RED" };
                write!(f, "  {cell:width$}", width = column.pair.len())?;
            }
            writeln!(f)?;
        }
        for column in &self.columns {
            for check in &self.checks {
                if let Err(why) = column.cell(check) {
                    writeln!(f, "{}, {check}: {why}", column.pair)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_shows_what_is_red_and_why() {
        let mut table = Table::default();
        table.add("a to b", "starting\nok tool\nfailed prompt: no answer: none\n");
        table.add("b to a", "ok tool\n");
        assert_eq!(table.red(), 2);
        let shown = table.to_string();
        assert!(shown.contains("tool    ok      ok"), "{shown}");
        assert!(shown.contains("prompt  RED     RED"), "{shown}");
        assert!(
            shown.ends_with("a to b, prompt: no answer: none\nb to a, prompt: it never ran\n"),
            "{shown}"
        );
    }

    #[test]
    fn a_table_without_a_check_is_red() {
        let mut table = Table::default();
        table.add("a to b", "Traceback\n");
        assert_eq!(table.red(), 1);
        table = Table::default();
        table.add("a to b", "ok tool\n");
        assert_eq!(table.red(), 0);
    }
}
