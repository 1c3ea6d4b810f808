//! States sealed with a data key that a key service has unwrapped: one call to it at start, local crypto after that.
//!
//! A codec has one duty, that only the exact string it minted opens. Time, caller, request and question are bound by
//! the server, whatever the codec.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305,
    aead::{Aead, Payload},
};
use roundtrip::{
    Args, McpServer, RequestStateSecurity, Resolution, Resolve, Resolved, ToolError, elicit,
    server::seal::{Codec, CodecError, InvalidRequestState},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The version of the format. It is authenticated with the rest.
const PREFIX: &str = "kms1.";
const NONCE: usize = 24;

struct EnvelopeCodec(XChaCha20Poly1305);

impl EnvelopeCodec {
    fn new(data_key: [u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(&data_key.into()))
    }
}

impl Codec for EnvelopeCodec {
    fn seal(&self, payload: &[u8]) -> Result<String, CodecError> {
        let mut sealed = vec![0; NONCE];
        getrandom::fill(&mut sealed).map_err(|_| CodecError::new("no randomness"))?;
        let nonce = <[u8; NONCE]>::try_from(&sealed[..]).expect("just made so long").into();
        let payload = Payload { msg: payload, aad: PREFIX.as_bytes() };
        let encrypted = self.0.encrypt(&nonce, payload).map_err(|_| CodecError::new("encryption failed"))?;
        sealed.extend(encrypted);
        Ok(format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(sealed)))
    }

    fn unseal(&self, token: &str) -> Result<Vec<u8>, InvalidRequestState> {
        let body = token.strip_prefix(PREFIX).ok_or(InvalidRequestState::malformed())?;
        // The engine takes no padding and no stray bits, so that no other spelling of a token opens.
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(body).map_err(|_| InvalidRequestState::malformed())?;
        let (nonce, encrypted) = sealed.split_at_checked(NONCE).ok_or(InvalidRequestState::malformed())?;
        let nonce = <[u8; NONCE]>::try_from(nonce).expect("split there").into();
        let payload = Payload { msg: encrypted, aad: PREFIX.as_bytes() };
        self.0.decrypt(&nonce, payload).map_err(|_| InvalidRequestState::tampered())
    }
}

/// Stands for the one call to the key service.
fn unwrap_data_key() -> [u8; 32] {
    let mut key = [0; 32];
    getrandom::fill(&mut key).expect("the system has randomness");
    key
}

/// Deploy a service.
#[derive(Deserialize, JsonSchema)]
struct Deploy {
    service: String,
}

#[derive(Deserialize, JsonSchema)]
struct Confirmed {
    yes: bool,
}

impl Resolve for Confirmed {
    type Needs = Args<Deploy>;

    async fn resolve(Args(deploy): Args<Deploy>) -> Result<Resolution<Self>, ToolError> {
        Ok(elicit(format!("Deploy {} now?", deploy.service)).into())
    }
}

async fn deploy(Args(deploy): Args<Deploy>, confirmed: Resolved<Confirmed>) -> String {
    format!("{} {}", deploy.service, if confirmed.yes { "is deployed" } else { "stays as it is" })
}

fn app(data_key: [u8; 32]) -> McpServer {
    McpServer::builder("Deployer")
        .request_state_security(RequestStateSecurity::codec(EnvelopeCodec::new(data_key)))
        .tool("deploy", deploy)
        .build()
        .expect("a named server")
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    roundtrip::http::serve(app(unwrap_data_key()), "127.0.0.1:8000").await
}

#[cfg(test)]
mod tests {
    use roundtrip::{
        Client,
        types::{ContentBlock, ElicitResult},
    };
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_call_goes_through() {
        let client = Client::builder()
            .on_elicitation(async |_| ElicitResult::accept(json!({ "yes": true })))
            .connect(&app([7; 32]))
            .await
            .unwrap();
        let result = client.call_tool("deploy", json!({ "service": "billing" })).await.unwrap();
        assert_eq!(result.content, [ContentBlock::text("billing is deployed")]);
    }

    #[test]
    fn only_the_string_that_was_minted_opens() {
        let codec = EnvelopeCodec::new([7; 32]);
        let token = codec.seal(b"state").unwrap();
        assert_eq!(codec.unseal(&token).unwrap(), b"state");
        let others =
            [format!("{token}="), format!(" {token}"), token.replace("kms1", "kms2"), token[1..].to_owned()];
        for other in others.iter().map(String::as_str).chain(["", "kms1.", "kms1.AAAA"]) {
            assert!(codec.unseal(other).is_err(), "{other}");
        }
        assert!(EnvelopeCodec::new([8; 32]).unseal(&token).is_err());
    }
}
