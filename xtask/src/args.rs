//! A command's options: flags, and options with a value.

use crate::Result;

/// What stands after the command's name. Each question takes what it asks for; [`Args::finish`] refuses the rest.
#[derive(Debug)]
pub(crate) struct Args {
    rest: Vec<String>,
}

impl Args {
    pub(crate) fn new(given: impl IntoIterator<Item = String>) -> Self {
        Self { rest: given.into_iter().collect() }
    }

    /// Whether `name` was given, without a value.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.rest.len();
        self.rest.retain(|arg| arg != name);
        self.rest.len() < before
    }

    /// The value of `--name value` or `--name=value`.
    pub(crate) fn value(&mut self, name: &str) -> Result<Option<String>> {
        let Some(at) = self.rest.iter().position(|arg| arg.split('=').next() == Some(name)) else {
            return Ok(None);
        };
        let arg = self.rest.remove(at);
        if let Some((_, value)) = arg.split_once('=') {
            return Ok(Some(value.to_owned()));
        }
        if at < self.rest.len() && !self.rest[at].starts_with("--") {
            return Ok(Some(self.rest.remove(at)));
        }
        Err(format!("`{name}` needs a value"))
    }

    /// The comma-separated values of `--name a,b`.
    pub(crate) fn list(&mut self, name: &str) -> Result<Vec<String>> {
        let value = self.value(name)?.unwrap_or_default();
        Ok(value.split(',').filter(|item| !item.is_empty()).map(str::to_owned).collect())
    }

    /// The value of `--name value` as a number.
    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>> {
        self.value(name)?
            .map(|value| value.parse().map_err(|_| format!("`{name}` needs a whole number, not `{value}`")))
            .transpose()
    }

    /// Fails if anything is left that no question took.
    pub(crate) fn finish(self) -> Result {
        match self.rest.first() {
            None => Ok(()),
            Some(arg) => Err(format!("there is no option `{arg}`; `cargo xtask help` lists them")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Args {
        Args::new(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn values_come_after_a_space_or_an_equals_sign() {
        let mut args = args("--url=http://h/?a=b --legs x,y --quick --rounds 3");
        assert_eq!(args.value("--url"), Ok(Some("http://h/?a=b".to_owned())));
        assert_eq!(args.list("--legs"), Ok(vec!["x".to_owned(), "y".to_owned()]));
        assert!(args.flag("--quick") && !args.flag("--quick"));
        assert_eq!(args.number("--rounds"), Ok(Some(3)));
        assert_eq!(args.finish(), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(args("--lab --quick").value("--lab"), Err("`--lab` needs a value".to_owned()));
        assert_eq!(args("--lab").value("--lab"), Err("`--lab` needs a value".to_owned()));
        assert!(args("--rounds many").number("--rounds").is_err_and(|error| error.contains("many")));
        assert!(args("--fast").finish().is_err_and(|error| error.contains("--fast")));
    }
}
