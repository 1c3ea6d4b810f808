//! Mounted into a framework.

use std::{convert::Infallible, error::Error};

use bytes::Bytes;
use http::{Request, Response, Uri};
use http_body::Body;
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use tower_service::Service;

use crate::support::{call, send, service};

/// The body of a framework's request: boxed, not `Sync`, with an error of its own.
type Boxed = UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>;

fn boxed(request: Request<Full<Bytes>>) -> Request<Boxed> {
    request.map(|body| body.map_err(Into::into).boxed_unsync())
}

/// Takes what frameworks ask of a service that is mounted.
fn mount<S, B>(service: S) -> S
where
    S: Service<Request<Boxed>, Response = Response<B>, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send + 'static,
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    service
}

#[tokio::test]
async fn under_any_path() {
    let (service, _) = service();
    let mounted = mount(service);
    for path in ["/", "/mcp", "/mcp/", "/a/b?c", "http://localhost:8000/mcp", "*"] {
        let mut request = boxed(call("echo"));
        *request.uri_mut() = path.parse::<Uri>().unwrap();
        assert_eq!(send(&mounted, request).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn behind_a_layer_that_buffers_bodies() {
    let (service, _) = service();
    let mounted = mount(service);
    let buffered = call("tell").into_body().collect().await.unwrap().to_bytes();
    let answer = send(&mounted, boxed(call("tell").map(|_| Full::new(buffered)))).await;
    assert_eq!(answer.events().len(), 2);
}
