//! Progress and cancellation of a request.

use serde::{Deserialize, Serialize};

use crate::{Meta, ProgressToken, RequestId};

/// The parameters of `notifications/progress`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProgressNotificationParams {
    /// The token of the request that goes on.
    pub progress_token: ProgressToken,
    /// How far it is; grows with each notification.
    #[serde(serialize_with = "crate::lenient::number")]
    pub progress: f64,
    /// How far it will go.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::lenient::optional_number")]
    pub total: Option<f64>,
    /// What is going on, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// More about the notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ProgressNotificationParams {
    /// The request of `token` is as far as `progress`.
    pub fn new(token: impl Into<ProgressToken>, progress: f64) -> Self {
        Self { progress_token: token.into(), progress, total: None, message: None, meta: None }
    }

    setters! {
        with_message => message: String;
        with_meta => meta: Meta;
    }
    value_setters! { with_total => total: f64; }
}

/// The parameters of `notifications/cancelled`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CancelledNotificationParams {
    /// Which request is given up.
    pub request_id: RequestId,
    /// Why, for logs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// More about the notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CancelledNotificationParams {
    /// The request `id` is given up.
    pub fn new(id: impl Into<RequestId>) -> Self {
        Self { request_id: id.into(), reason: None, meta: None }
    }

    setters! {
        with_reason => reason: String;
        with_meta => meta: Meta;
    }
}
