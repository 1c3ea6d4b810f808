//! What a browser needs to be told before a web page's script may call and read the answer.
//!
//! Only pages whose origin the guard serves get here. Cookies are never asked for: a token travels in a header that
//! the script sets itself.

use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};

use super::ResponseBody;

/// Answers a preflight request; `None` if it isn't one.
pub(super) fn preflight(method: &Method, request: &HeaderMap) -> Option<Response<ResponseBody>> {
    if method != Method::OPTIONS || !request.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return None;
    }
    let mut response = Response::new(ResponseBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    // Which `Mcp-Param-*` headers a tool wants can't be known here, so all that is asked for is allowed.
    if let Some(asked) = request.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
        headers.append(header::VARY, HeaderValue::from_static("access-control-request-headers"));
    }
    Some(response)
}

/// Lets a page of this origin read a response.
pub(super) fn allow(origin: HeaderValue, response: &mut HeaderMap) {
    response.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    response.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("www-authenticate"));
    response.append(header::VARY, HeaderValue::from_static("origin"));
}
