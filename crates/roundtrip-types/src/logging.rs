//! Log messages of a server. Deprecated by the specification.

use serde::{Deserialize, Serialize};

use crate::{Meta, RawJson};

open_enum! {
    /// How much a log message matters: `LoggingLevel`, with the severities of syslog.
    pub enum LoggingLevel {
        /// For finding faults.
        Debug = "debug",
        /// Information.
        Info = "info",
        /// Normal but worth a look.
        Notice = "notice",
        /// Something may go wrong.
        Warning = "warning",
        /// Something went wrong.
        Error = "error",
        /// A part is broken.
        Critical = "critical",
        /// Someone must act at once.
        Alert = "alert",
        /// The system is unusable.
        Emergency = "emergency",
    }
}

impl LoggingLevel {
    /// From 0 (debug) to 7 (emergency); nothing for a level that the specification does not name.
    pub fn severity(&self) -> Option<u8> {
        match self {
            Self::Debug => Some(0),
            Self::Info => Some(1),
            Self::Notice => Some(2),
            Self::Warning => Some(3),
            Self::Error => Some(4),
            Self::Critical => Some(5),
            Self::Alert => Some(6),
            Self::Emergency => Some(7),
            Self::Other(_) => None,
        }
    }

    /// Whether a message of this level is wanted by who asked for `least` and above.
    pub fn is_at_least(&self, least: &Self) -> bool {
        matches!((self.severity(), least.severity()), (Some(own), Some(least)) if own >= least)
    }
}

/// The parameters of `notifications/message`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LoggingMessageNotificationParams {
    /// How much it matters.
    pub level: LoggingLevel,
    /// Which part of the server speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logger: Option<String>,
    /// The message: any JSON.
    pub data: RawJson,
    /// More about the notification.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl LoggingMessageNotificationParams {
    /// A message of `level`.
    pub fn new(level: LoggingLevel, data: impl Into<RawJson>) -> Self {
        Self { level, logger: None, data: data.into(), meta: None }
    }

    setters! {
        with_logger => logger: String;
        with_meta => meta: Meta;
    }
}
