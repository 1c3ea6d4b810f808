//! Which hosts a request may name, and which web pages may send one.
//!
//! A web page that a person visits can make their browser send requests to servers on their own machine, and by
//! pointing its own name at that machine (DNS rebinding) can even make them look like requests to itself. The `Host`
//! header shows the second, the `Origin` header the first, so both are checked before anything else is.

use std::{
    error::Error,
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use http::{HeaderMap, HeaderValue, Uri, header, uri::Authority};

/// Decides by the `Host` and `Origin` headers whether a request is served; what it refuses gets 403.
///
/// The default serves what a server on one's own machine needs: hosts and origins that are `localhost` or a loopback
/// address (`127.0.0.1`, `[::1]`), with any port. A server that is reached by another name says so:
///
/// ```
/// use roundtrip_http::Guard;
///
/// let guard = Guard::default()
///     .allow_host("mcp.example.com")?          // with any port; "mcp.example.com:8443" for that one only
///     .allow_origin("https://app.example.com")?; // a web page whose scripts may call
/// # Ok::<_, roundtrip_http::GuardError>(())
/// ```
///
/// Names are compared without regard to case, IPv6 addresses as addresses. A request without an `Origin` header
/// doesn't come from a web page and passes that check. Where a header is checked, the answer also tells the browser
/// that the page may read it (CORS), and a preflight request (`OPTIONS`) is answered: see
/// [`StreamableHttp`](crate::StreamableHttp).
#[derive(Clone, Debug, Default)]
pub struct Guard {
    hosts: Allowed<Place>,
    origins: Allowed<Origin>,
}

/// The ways around a [`Guard`], from [`Guard::dangerous`].
#[derive(Clone, Debug)]
pub struct DangerousGuard(Guard);

/// A host or an origin that can't be allowed because it isn't one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardError {
    given: String,
    expected: &'static str,
}

#[derive(Clone, Debug)]
enum Allowed<T> {
    LoopbackAnd(Vec<T>),
    Any,
}

/// A host that is served: with any port, or with this one.
#[derive(Clone, Debug)]
struct Place {
    host: Name<String>,
    port: Option<u16>,
}

#[derive(Clone, Debug)]
struct Origin {
    scheme: String,
    host: Name<String>,
    /// `None` for the scheme's own port.
    port: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
enum Name<S> {
    Address(IpAddr),
    Text(S),
}

/// The header for which a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forbidden {
    Host,
    Origin,
}

impl Guard {
    /// Also serves requests that name this host: a name or an address, IPv6 in brackets. `mcp.example.com` means with
    /// any port, `mcp.example.com:8443` with that one.
    ///
    /// # Errors
    ///
    /// [`GuardError`] if it isn't a host, for instance because it has a scheme or a path.
    pub fn allow_host(mut self, host: &str) -> Result<Self, GuardError> {
        let (name, port) = split(host).ok_or_else(|| GuardError {
            given: host.to_owned(),
            expected: "a host: a name or an address, with a port or without, such as mcp.example.com",
        })?;
        if let Allowed::LoopbackAnd(places) = &mut self.hosts {
            places.push(Place { host: name.to_owned(), port });
        }
        Ok(self)
    }

    /// Also serves requests from web pages of this origin: scheme, host and, unless it is the scheme's own, port.
    ///
    /// # Errors
    ///
    /// [`GuardError`] if it isn't an origin, for instance because it has no scheme or a path.
    pub fn allow_origin(mut self, origin: &str) -> Result<Self, GuardError> {
        let (scheme, name, port) = split_origin(origin).ok_or_else(|| GuardError {
            given: origin.to_owned(),
            expected: "an origin: scheme and host, without a path, such as https://app.example.com",
        })?;
        if let Allowed::LoopbackAnd(origins) = &mut self.origins {
            origins.push(Origin { scheme: scheme.to_ascii_lowercase(), host: name.to_owned(), port });
        }
        Ok(self)
    }

    /// The ways to serve what the guard is there to refuse. Each opens a door; read what it says.
    #[must_use]
    pub fn dangerous(self) -> DangerousGuard {
        DangerousGuard(self)
    }

    /// Checks one request; where it comes from a web page that may read the answer, returns that page's origin.
    pub(crate) fn check<'r>(
        &self,
        uri: &Uri,
        headers: &'r HeaderMap,
    ) -> Result<Option<&'r HeaderValue>, Forbidden> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next();
        if hosts.next().is_some() || (host.is_none() && uri.authority().is_none()) {
            return Err(Forbidden::Host);
        }
        let host = host.map(|value| value.to_str().unwrap_or_default());
        let authority = uri.authority().map(Authority::as_str);
        if !host.into_iter().chain(authority).all(|host| self.hosts.serves(host)) {
            return Err(Forbidden::Host);
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let origin = origins.next();
        if origins.next().is_some()
            || !origin.is_none_or(|origin| self.origins.serves(origin.to_str().unwrap_or_default()))
        {
            return Err(Forbidden::Origin);
        }
        Ok(origin)
    }
}

impl DangerousGuard {
    /// Serves requests whatever host they name. Safe only where no browser can reach the server under a name that
    /// somebody else controls, for instance behind a proxy that checks the host itself.
    #[must_use]
    pub fn allow_any_host(mut self) -> Guard {
        self.0.hosts = Allowed::Any;
        self.0
    }

    /// Serves requests from any web page, and lets it read the answers. Safe only for a server that gives everybody
    /// the same, or that asks each request for a token that a browser doesn't send by itself.
    #[must_use]
    pub fn allow_any_origin(mut self) -> Guard {
        self.0.origins = Allowed::Any;
        self.0
    }
}

impl Allowed<Place> {
    fn serves(&self, host: &str) -> bool {
        let Self::LoopbackAnd(places) = self else { return true };
        let Some((name, port)) = split(host) else { return false };
        name.is_loopback()
            || places
                .iter()
                .any(|place| place.host.matches(&name) && (place.port.is_none() || place.port == port))
    }
}

impl Allowed<Origin> {
    fn serves(&self, origin: &str) -> bool {
        let Self::LoopbackAnd(origins) = self else { return true };
        let Some((scheme, name, port)) = split_origin(origin) else { return false };
        let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        (is_web && name.is_loopback())
            || origins.iter().any(|allowed| {
                allowed.scheme.eq_ignore_ascii_case(scheme)
                    && allowed.host.matches(&name)
                    && allowed.port == port
            })
    }
}

impl<T> Default for Allowed<T> {
    fn default() -> Self {
        Self::LoopbackAnd(Vec::new())
    }
}

impl Name<&str> {
    fn is_loopback(&self) -> bool {
        match self {
            Self::Address(address) => address.is_loopback(),
            Self::Text(name) => name.eq_ignore_ascii_case("localhost"),
        }
    }

    fn to_owned(self) -> Name<String> {
        match self {
            Self::Address(address) => Name::Address(address),
            Self::Text(name) => Name::Text(name.to_ascii_lowercase()),
        }
    }
}

impl Name<String> {
    fn matches(&self, other: &Name<&str>) -> bool {
        match (self, other) {
            (Self::Address(this), Name::Address(other)) => this == other,
            (Self::Text(this), Name::Text(other)) => this.eq_ignore_ascii_case(other),
            _ => false,
        }
    }
}

/// Splits `host[:port]`; `None` where it isn't that.
fn split(host: &str) -> Option<(Name<&str>, Option<u16>)> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            let address: Ipv6Addr = address.parse().ok()?;
            (Name::Address(address.to_canonical()), port.strip_prefix(':').or(port.is_empty().then_some(""))?)
        }
        None => {
            let (name, port) = host.split_once(':').unwrap_or((host, ""));
            let name = match name.parse::<Ipv4Addr>() {
                Ok(address) => Name::Address(address.into()),
                Err(_) if is_name(name) => Name::Text(name),
                Err(_) => return None,
            };
            (name, port)
        }
    };
    let port = match port {
        "" => None,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
        _ => return None,
    };
    Some((name, port))
}

/// Splits `scheme://host[:port]`; the scheme's own port reads as none. `null`, which a browser sends for a page that
/// it doesn't trust, isn't an origin.
fn split_origin(origin: &str) -> Option<(&str, Name<&str>, Option<u16>)> {
    let (scheme, authority) = origin.split_once("://")?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let (name, port) = split(authority).filter(|_| is_scheme && !scheme.is_empty())?;
    let own = match scheme {
        _ if scheme.eq_ignore_ascii_case("http") => Some(80),
        _ if scheme.eq_ignore_ascii_case("https") => Some(443),
        _ => None,
    };
    Some((scheme, name, port.filter(|port| Some(*port) != own)))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
}

impl fmt::Display for GuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} can't be allowed: expected {}", self.given, self.expected)
    }
}

impl Error for GuardError {}

#[cfg(test)]
mod tests;
