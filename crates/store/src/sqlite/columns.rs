//! How our types stand in columns.

use jiff::{SignedDuration, Timestamp};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::audit::ChainId;
use crate::digest::Digest;
use crate::id::{ApprovalId, InvariantId, PinId, QuestionId, RuleId, SessionId, SignerId};

/// A time, in microseconds since 1970.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct At(pub(super) Timestamp);

/// The time before which whoever gave no sign counts as left, in microseconds since 1970.
pub(super) fn idle_since(now: Timestamp, idle: SignedDuration) -> i64 {
    let idle = i64::try_from(idle.as_micros()).unwrap_or(i64::MAX);
    now.as_microsecond().saturating_sub(idle)
}

impl ToSql for At {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.as_microsecond().into())
    }
}

impl FromSql for At {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<At> {
        let microseconds = value.as_i64()?;
        Timestamp::from_microsecond(microseconds).map(At).map_err(|_| FromSqlError::OutOfRange(microseconds))
    }
}

impl ToSql for SessionId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for SessionId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<SessionId> {
        value.as_str()?.parse().map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

impl ToSql for Digest {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.bytes().as_slice().into())
    }
}

impl FromSql for Digest {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Digest> {
        bytes(value).map(Digest::new)
    }
}

impl ToSql for ChainId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.bytes().as_slice().into())
    }
}

impl FromSql for ChainId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<ChainId> {
        bytes(value).map(ChainId::new)
    }
}

fn bytes<const N: usize>(value: ValueRef<'_>) -> FromSqlResult<[u8; N]> {
    let bytes = value.as_blob()?;
    bytes.try_into().map_err(|_| FromSqlError::InvalidBlobSize { expected_size: N, blob_size: bytes.len() })
}

macro_rules! number {
    ($($name:ident),*) => {$(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                // No row has a number beyond what SQLite can count.
                Ok(i64::try_from(self.number()).unwrap_or(i64::MAX).into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                u64::column_result(value).map($name::new)
            }
        }
    )*};
}

number!(RuleId, InvariantId, PinId, QuestionId, ApprovalId, SignerId);
