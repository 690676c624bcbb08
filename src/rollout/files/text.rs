//! Bytes to text to JSON.

use super::{FileError, LIMIT, mend};
use serde_json::Value;
use std::borrow::Cow;

/// What has to be done with bytes before they can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// They are as they should be.
    Nothing,
    /// They are packed with gzip; of what comes out, take [`LIMIT`] bytes and one at the most: the
    /// one more is enough to be refused.
    Gunzip,
}

/// Looks at the first bytes of a file, whatever its name is.
///
/// ```
/// use quayside::rollout::{Needs, needs};
/// assert_eq!(needs(&[0x1f, 0x8b, 8]), Needs::Gunzip);
/// assert_eq!(needs(b"{}"), Needs::Nothing);
/// ```
pub fn needs(bytes: &[u8]) -> Needs {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        Needs::Gunzip
    } else {
        Needs::Nothing
    }
}

/// The text of a file: UTF-8, or UTF-16 that says so in its first two bytes. The mark is dropped.
pub(super) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, FileError> {
    if bytes.len() > LIMIT {
        return Err(FileError::TooLarge { bytes: bytes.len() });
    }
    let text = match bytes {
        [0x1f, 0x8b, ..] => return Err(FileError::Packed),
        [b'P', b'K', 3, 4, ..] => return Err(FileError::Zip),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(wide(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(wide(rest, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(narrow(rest, 3)?),
        _ => Cow::Borrowed(narrow(bytes, 0)?),
    };
    if text.trim().is_empty() {
        return Err(FileError::Empty);
    }
    Ok(text)
}

fn narrow(bytes: &[u8], before: usize) -> Result<&str, FileError> {
    std::str::from_utf8(bytes).map_err(|error| FileError::NotText {
        byte: before + error.valid_up_to() + 1,
    })
}

/// UTF-16. Half a surrogate pair becomes U+FFFD, as it does within JSON.
fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, FileError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        let byte = bytes.len() + 2;
        return Err(FileError::NotText { byte });
    }
    let units = pairs.iter().map(|pair| unit(*pair));
    let signs = char::decode_utf16(units).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER));
    Ok(signs.collect())
}

/// The value of a JSON text, also one of Python's; else what is wrong with it.
pub(super) fn value(text: &str) -> Result<Value, FileError> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if let Some(value) = mend::mended(text).and_then(|text| crate::wire::json::read(&text)) {
        return Ok(value);
    }
    let start = text.trim_start();
    Err(if start.starts_with('<') {
        FileError::Html
    } else if start.starts_with("version https://git-lfs") {
        FileError::Pointer
    } else if error.is_eof() {
        FileError::Cut
    } else if error.to_string().starts_with("recursion") {
        FileError::TooDeep
    } else {
        FileError::NotJson {
            line: error.line(),
            column: error.column(),
        }
    })
}
