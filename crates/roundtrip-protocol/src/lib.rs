//! The rules of the Model Context Protocol, as pure functions over bytes.
//!
//! This crate knows what a message means before anybody acts on it: [`inbound::classify`] turns the bytes and headers
//! of a request into an [`inbound::Inbound`] or into the [`error::Rejection`] that the specification asks for. The
//! other modules hold the codecs that both sides share: headers, URI templates, canonical JSON and flat forms.
//!
//! Nothing here reads a clock, opens a socket or waits, and no input makes it panic: the same bytes give the same
//! answer. What differs between the eras of the protocol lives in [`era`]; everything else asks an [`era::Era`].

pub mod canonical;
pub mod era;
pub mod error;
pub mod form;
pub mod headers;
pub mod inbound;
pub mod methods;
mod text;
pub mod uri_template;
