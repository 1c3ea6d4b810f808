//! Where a server sends a request instead.

use http::{Response, StatusCode, Uri, header, uri::Scheme};
use roundtrip_client::TransportError;

use super::url;

/// Where to send the request that `from` answered; `None` if it is answered there.
///
/// # Errors
///
/// A redirect that isn't followed: one that loses the method and the body, one to another origin, one that can't be
/// read.
pub(super) fn target<B>(from: &Uri, response: &Response<B>) -> Result<Option<Uri>, TransportError> {
    let status = response.status();
    let fail = |message: String| Err(TransportError::new(message).with_status(status));
    let keeps_request = status == StatusCode::TEMPORARY_REDIRECT || status == StatusCode::PERMANENT_REDIRECT;
    let loses_request =
        matches!(status, StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER);
    if !keeps_request && !loses_request {
        return Ok(None);
    }
    let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
    let Some(target) = location.and_then(|location| resolve(from, location)) else {
        return fail(format!("the server answered {status} and doesn't say where to go instead"));
    };
    let there = url::shown(&target);
    if loses_request {
        return fail(format!(
            "the server redirects to {there} with {status}, which doesn't keep a POST; use that URL"
        ));
    }
    if origin(from) != origin(&target) {
        return fail(format!(
            "the server redirects to {there}, which is another origin; use that URL if you trust it"
        ));
    }
    Ok(Some(target))
}

/// Scheme, host and port.
fn origin(uri: &Uri) -> (Option<&Scheme>, String, Option<u16>) {
    let port = uri.port_u16().or(if uri.scheme() == Some(&Scheme::HTTPS) { Some(443) } else { Some(80) });
    (uri.scheme(), uri.host().unwrap_or_default().to_ascii_lowercase(), port)
}

/// Reads a `Location`, which may be relative to where it came from.
fn resolve(from: &Uri, location: &str) -> Option<Uri> {
    let location = location.split('#').next().unwrap_or_default();
    let (scheme, authority) = (from.scheme_str()?, from.authority()?);
    let is_absolute = location.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    let absolute = if is_absolute {
        location.to_owned()
    } else if location.starts_with("//") {
        format!("{scheme}:{location}")
    } else if location.starts_with('/') {
        format!("{scheme}://{authority}{location}")
    } else if location.starts_with('?') {
        format!("{scheme}://{authority}{}{location}", from.path())
    } else if location.is_empty() {
        return Some(from.clone());
    } else {
        let (path, query) =
            location.split_once('?').map_or((location, None), |(path, query)| (path, Some(query)));
        let path = merge(from.path(), path);
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        format!("{scheme}://{authority}{path}{query}")
    };
    let uri: Uri = absolute.parse().ok()?;
    let is_plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    (uri.scheme().is_some() && is_plain).then_some(uri)
}

/// A relative path in the place of the last segment of another.
fn merge(from: &str, relative: &str) -> String {
    let base = from.rsplit_once('/').map_or("", |(base, _)| base);
    let mut segments: Vec<&str> = base.split('/').skip(1).collect();
    let mut parts = relative.split('/').peekable();
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        match part {
            ".." => {
                segments.pop();
            }
            "." => {}
            part => segments.push(part),
        }
        if last && (part == "." || part == "..") {
            segments.push("");
        }
    }
    format!("/{}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, location: Option<&str>) -> Response<()> {
        let mut response = Response::builder().status(status);
        if let Some(location) = location {
            response = response.header("location", location);
        }
        response.body(()).unwrap()
    }

    fn go(from: &str, status: u16, location: &str) -> Result<Option<String>, String> {
        let response = answer(status, Some(location));
        match target(&from.parse().unwrap(), &response) {
            Ok(uri) => Ok(uri.map(|uri| uri.to_string())),
            Err(error) => {
                assert_eq!(error.status(), Some(response.status()));
                Err(error.to_string())
            }
        }
    }

    #[test]
    fn the_same_origin_is_followed_with_method_and_body_kept() {
        let from = "http://example.com/a/mcp?key=1";
        for (location, to) in [
            ("http://example.com/mcp/", "http://example.com/mcp/"),
            ("http://EXAMPLE.com:80/mcp/", "http://EXAMPLE.com:80/mcp/"),
            ("//example.com/mcp/", "http://example.com/mcp/"),
            ("/mcp/?x=1#there", "http://example.com/mcp/?x=1"),
            ("mcp/", "http://example.com/a/mcp/"),
            ("./b:c", "http://example.com/a/b:c"),
            ("../b?to=http://other", "http://example.com/b?to=http://other"),
            ("../../../b", "http://example.com/b"),
            ("..", "http://example.com/"),
            (".", "http://example.com/a/"),
            ("?key=2", "http://example.com/a/mcp?key=2"),
            ("", "http://example.com/a/mcp?key=1"),
        ] {
            for status in [307, 308] {
                assert_eq!(go(from, status, location), Ok(Some(to.to_owned())), "{location}");
            }
        }
    }

    #[test]
    fn another_origin_is_an_error_that_names_it_without_its_query() {
        for location in [
            "https://example.com/mcp?token=s",
            "http://example.com:81/mcp?token=s",
            "http://other.example/mcp?token=s",
            "//other.example/mcp?token=s",
        ] {
            let error = go("http://example.com/mcp", 307, location).unwrap_err();
            let named = location.trim_end_matches("?token=s");
            assert!(
                error.contains(named) && error.contains("another origin") && !error.contains("token"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_redirect_that_loses_the_request_is_an_error() {
        for status in [301, 302, 303] {
            let error = go("http://example.com/mcp", status, "/mcp/").unwrap_err();
            assert!(error.contains("http://example.com/mcp/") && error.contains("POST"), "{error}");
        }
    }

    #[test]
    fn a_redirect_to_nowhere_is_an_error() {
        let from = "http://example.com/mcp".parse().unwrap();
        assert!(target(&from, &answer(307, None)).is_err());
        for location in ["http://", "mailto:x", "http://user@example.com/mcp", "http://exa mple.com/"] {
            assert!(go("http://example.com/mcp", 307, location).is_err(), "{location}");
        }
    }

    #[test]
    fn other_answers_are_no_redirects() {
        for status in [200, 300, 304, 400, 404, 500] {
            assert_eq!(go("http://example.com/mcp", status, "/elsewhere"), Ok(None), "{status}");
        }
    }
}
