//! Subscriptions: what a client wants to hear of between its requests.

use serde::{Deserialize, Serialize};

use crate::{Meta, RequestId};

/// What a subscription is about: `SubscriptionFilter`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionFilter {
    /// Changes of the list of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools_list_changed: Option<bool>,
    /// Changes of the list of prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts_list_changed: Option<bool>,
    /// Changes of the lists of resources and templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources_list_changed: Option<bool>,
    /// Changes of single resources, by URI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_subscriptions: Option<Vec<String>>,
    /// Changes of tasks, by id; part of the tasks extension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_ids: Option<Vec<String>>,
}

impl SubscriptionFilter {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        with_resource_subscriptions => resource_subscriptions: Vec<String>;
        with_task_ids => task_ids: Vec<String>;
    }
    value_setters! {
        with_tools_list_changed => tools_list_changed: bool;
        with_prompts_list_changed => prompts_list_changed: bool;
        with_resources_list_changed => resources_list_changed: bool;
    }
}

/// The parameters of `subscriptions/listen`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionsListenRequestParams {
    /// What to hear of.
    pub notifications: SubscriptionFilter,
    /// More about the request.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl SubscriptionsListenRequestParams {
    /// Listens for `notifications`.
    pub fn new(notifications: SubscriptionFilter) -> Self {
        Self { notifications, meta: None }
    }

    setters! { with_meta => meta: Meta; }
}

/// The result of `subscriptions/listen`, which ends it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionsListenResult {
    /// Names the subscription that ends.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl SubscriptionsListenResult {
    /// The subscription of the request `id` ends.
    pub fn new(id: &RequestId) -> Self {
        Self { meta: Some(Meta::for_subscription(id)) }
    }
}

/// The parameters of `notifications/subscriptions/acknowledged`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubscriptionsAcknowledgedNotificationParams {
    /// What the server will tell of, which may be less than was asked for.
    pub notifications: SubscriptionFilter,
    /// Names the subscription.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl SubscriptionsAcknowledgedNotificationParams {
    /// The subscription of the request `id` hears of `notifications`.
    pub fn new(notifications: SubscriptionFilter, id: &RequestId) -> Self {
        Self { notifications, meta: Some(Meta::for_subscription(id)) }
    }
}

/// The parameters of `notifications/tools/list_changed`, `notifications/prompts/list_changed` and
/// `notifications/resources/list_changed`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListChangedNotificationParams {
    /// Names the subscription.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ListChangedNotificationParams {
    /// Tells the subscription of the request `id`.
    pub fn new(id: &RequestId) -> Self {
        Self { meta: Some(Meta::for_subscription(id)) }
    }
}

/// The parameters of `notifications/resources/updated`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceUpdatedNotificationParams {
    /// What changed; it may lie below the URI of the subscription.
    pub uri: String,
    /// Names the subscription.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ResourceUpdatedNotificationParams {
    /// Tells the subscription of the request `id` that `uri` changed.
    pub fn new(uri: impl Into<String>, id: &RequestId) -> Self {
        Self { uri: uri.into(), meta: Some(Meta::for_subscription(id)) }
    }
}
