//! Our side of the checks with other SDKs: `cargo xtask interop`.
//!
//! `serve` is the server that another SDK's client is checked with, `check URL` the client that checks another SDK's
//! server. The Python programs in `python/` are the same two on the reference SDK.

mod client;
mod server;

use std::{error::Error, process::ExitCode};

use roundtrip::http::Listener;

/// `serve` takes a free port of the loopback address and says where on its first line.
#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "whoever started it has to learn the port")]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    match (args.next().as_deref(), args.next()) {
        (Some("serve"), None) => {
            let listener = Listener::bind("127.0.0.1:0").await?;
            println!("listening on http://{}/mcp", listener.local_addr()?);
            listener.serve(server::app()?).await?;
            Ok(ExitCode::SUCCESS)
        }
        (Some("check"), Some(url)) => {
            Ok(if client::check(&url).await { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        _ => Err("usage: roundtrip-interop serve, or roundtrip-interop check URL".into()),
    }
}
