use super::*;

fn check(guard: &Guard, headers: &[(&'static str, &str)]) -> Result<(), Forbidden> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, value.parse().unwrap());
    }
    guard.check(&Uri::from_static("/mcp"), &map).map(|_| ())
}

fn host(guard: &Guard, host: &str) -> Result<(), Forbidden> {
    check(guard, &[("host", host)])
}

fn origin(guard: &Guard, origin: &str) -> Result<(), Forbidden> {
    check(guard, &[("host", "localhost"), ("origin", origin)])
}

#[test]
fn loopback_hosts_are_served_with_any_port() {
    let guard = Guard::default();
    for served in [
        "localhost",
        "LOCALHOST",
        "localhost:8000",
        "LocalHost:1",
        "localhost:",
        "127.0.0.1",
        "127.0.0.1:65535",
        "[::1]",
        "[::1]:8000",
        "[0:0:0:0:0:0:0:1]:8000",
        "[::ffff:127.0.0.1]:80",
        "127.0.0.2",
    ] {
        assert_eq!(host(&guard, served), Ok(()), "{served}");
    }
}

#[test]
fn other_hosts_are_not() {
    let guard = Guard::default();
    for refused in [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "evil-localhost",
        "localhost.",
        "localhost@evil",
        "evil@localhost",
        "localhost:80:80",
        "localhost:port",
        "localhost:+80",
        "localhost:65536",
        "",
        ":80",
        "::1",
        "[::1",
        "[::1]x",
        "[::1]80",
        "[::2]",
        "[localhost]",
        "127.0.0.1.evil.example",
        "128.0.0.1",
        "127.1",
        "0x7f.1",
        "2130706433",
        "0.0.0.0",
        "localhost/",
        "http://localhost",
        " localhost",
        "localhost,evil.example",
        "*",
    ] {
        assert_eq!(host(&guard, refused), Err(Forbidden::Host), "{refused}");
    }
}

#[test]
fn a_request_names_one_host() {
    let guard = Guard::default();
    assert_eq!(check(&guard, &[]), Err(Forbidden::Host));
    assert_eq!(check(&guard, &[("host", "localhost"), ("host", "localhost")]), Err(Forbidden::Host));
}

#[test]
fn the_request_target_counts_as_the_host_header_does() {
    let guard = Guard::default();
    let headers = |host: Option<&'static str>| -> HeaderMap {
        host.map(|host| (header::HOST, HeaderValue::from_static(host))).into_iter().collect()
    };
    let here = Uri::from_static("http://localhost:8000/mcp");
    let there = Uri::from_static("http://evil.example/mcp");
    assert_eq!(guard.check(&here, &headers(None)), Ok(None));
    assert_eq!(guard.check(&here, &headers(Some("localhost"))), Ok(None));
    assert_eq!(guard.check(&there, &headers(None)), Err(Forbidden::Host));
    assert_eq!(guard.check(&there, &headers(Some("localhost"))), Err(Forbidden::Host));
    assert_eq!(guard.check(&here, &headers(Some("evil.example"))), Err(Forbidden::Host));
}

#[test]
fn loopback_origins_are_served_and_none_needs_to_be_given() {
    let guard = Guard::default();
    assert_eq!(check(&guard, &[("host", "localhost")]), Ok(()));
    for served in ["http://localhost", "https://localhost:6274", "HTTP://127.0.0.1:3000", "http://[::1]:3000"]
    {
        assert_eq!(origin(&guard, served), Ok(()), "{served}");
    }
}

#[test]
fn other_origins_are_not() {
    let guard = Guard::default();
    for refused in [
        "null",
        "https://evil.example",
        "https://localhost.evil.example",
        "localhost",
        "ftp://localhost",
        "://localhost",
        "http://localhost/",
        "http://localhost@evil.example",
        "http://",
        "",
        "http://localhost, http://localhost",
    ] {
        assert_eq!(origin(&guard, refused), Err(Forbidden::Origin), "{refused}");
    }
    let twice = [("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://localhost")];
    assert_eq!(check(&guard, &twice), Err(Forbidden::Origin));
}

#[test]
fn a_host_is_added_with_any_port_or_with_one() {
    let guard = Guard::default().allow_host("MCP.example.com").unwrap().allow_host("10.0.0.7:8443").unwrap();
    for served in ["mcp.example.com", "mcp.EXAMPLE.com:9000", "10.0.0.7:8443", "localhost"] {
        assert_eq!(host(&guard, served), Ok(()), "{served}");
    }
    for refused in ["10.0.0.7", "10.0.0.7:8444", "example.com", "a.mcp.example.com", "mcp.example.com."] {
        assert_eq!(host(&guard, refused), Err(Forbidden::Host), "{refused}");
    }
    let guard = Guard::default().allow_host("[2001:db8::1]").unwrap();
    assert_eq!(host(&guard, "[2001:0db8:0::1]:80"), Ok(()));
}

#[test]
fn an_origin_is_added_with_its_scheme_and_port() {
    let guard = Guard::default()
        .allow_origin("https://App.example.com")
        .and_then(|guard| guard.allow_origin("http://dev.example.com:3000"))
        .and_then(|guard| guard.allow_origin("tauri://app"))
        .unwrap();
    for served in [
        "https://app.example.com",
        "https://app.example.com:443",
        "http://dev.example.com:3000",
        "tauri://app",
        "http://localhost",
    ] {
        assert_eq!(origin(&guard, served), Ok(()), "{served}");
    }
    for refused in [
        "http://app.example.com",
        "https://app.example.com:80",
        "https://example.com",
        "http://dev.example.com",
        "tauri://other",
    ] {
        assert_eq!(origin(&guard, refused), Err(Forbidden::Origin), "{refused}");
    }
}

#[test]
fn the_ways_out_open_one_door_each() {
    let any_host = Guard::default().dangerous().allow_any_host();
    assert_eq!(host(&any_host, "evil.example"), Ok(()));
    assert_eq!(origin(&any_host, "https://evil.example"), Err(Forbidden::Origin));
    let any_origin = Guard::default().dangerous().allow_any_origin();
    assert_eq!(host(&any_origin, "evil.example"), Err(Forbidden::Host));
    assert_eq!(origin(&any_origin, "null"), Ok(()));
    let still = any_host.allow_host("example.com").unwrap();
    assert_eq!(host(&still, "evil.example"), Ok(()), "allowing one host doesn't take the others back");
}

#[test]
fn what_is_not_a_host_or_an_origin_is_an_error_that_names_it() {
    let error = Guard::default().allow_host("https://mcp.example.com").unwrap_err().to_string();
    assert!(error.contains(r#""https://mcp.example.com""#) && error.contains("a host"), "{error}");
    for wrong in ["", "*", "*.example.com", "mcp.example.com/mcp", "mcp.example.com:x", "::1"] {
        assert!(Guard::default().allow_host(wrong).is_err(), "{wrong}");
    }
    for wrong in ["", "*", "null", "app.example.com", "https://app.example.com/", "https://*"] {
        assert!(Guard::default().allow_origin(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_origin_of_a_page_that_may_read_the_answer_is_returned() {
    let headers: HeaderMap = [(header::HOST, "localhost"), (header::ORIGIN, "http://localhost:3000")]
        .map(|(name, value)| (name, HeaderValue::from_static(value)))
        .into_iter()
        .collect();
    let origin = Guard::default().check(&Uri::from_static("/"), &headers).unwrap();
    assert_eq!(origin.unwrap(), "http://localhost:3000");
}
