//! The URL of a server.

use http::{
    Uri,
    uri::{InvalidUri, Scheme},
};
use roundtrip_client::TransportError;

pub(super) fn parse(url: &str) -> Result<Uri, TransportError> {
    url.parse().map_err(|error: InvalidUri| {
        TransportError::new(format!("{url:?} is not a URL; one looks like http://127.0.0.1:8000/mcp"))
            .with_source(error)
    })
}

pub(super) fn check(uri: &Uri) -> Result<(), TransportError> {
    let scheme = uri.scheme();
    if scheme != Some(&Scheme::HTTP) && scheme != Some(&Scheme::HTTPS) {
        let message = format!(
            "{:?} is not a URL with http or https; one looks like http://127.0.0.1:8000/mcp",
            shown(uri)
        );
        return Err(TransportError::new(message));
    }
    if scheme == Some(&Scheme::HTTPS) && !cfg!(feature = "tls") {
        return Err(TransportError::new(
            "a URL with https needs the feature `tls`, which this program was built without",
        ));
    }
    match uri.authority() {
        Some(authority) if authority.as_str().contains('@') => Err(TransportError::new(
            "a URL with a user or password in it is not used; send an `authorization` header",
        )),
        Some(authority) if !authority.host().is_empty() => Ok(()),
        _ => Err(TransportError::new("the URL has no host")),
    }
}

/// A URL as it may stand in a message: without the query, which can hold secrets.
pub(super) fn shown(uri: &Uri) -> String {
    let scheme = uri.scheme_str().map(|scheme| format!("{scheme}://")).unwrap_or_default();
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    format!("{scheme}{}{}", authority.rsplit('@').next().unwrap_or_default(), uri.path())
}
