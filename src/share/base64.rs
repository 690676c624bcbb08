//! Base64url without padding (RFC 4648, section 5): `A-Z a-z 0-9 - _`, six bits a character.
//!
//! Strict on the way in: one text for each run of bytes, so that a changed character is always a
//! changed payload.

const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as text, four characters for three bytes.
///
/// ```
/// use quayside::share::base64;
/// assert_eq!(base64::write(b"\xfb\xff"), "-_8");
/// assert_eq!(base64::read("-_8"), Some(b"\xfb\xff".to_vec()));
/// ```
pub fn write(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    let (mut held, mut bits) = (0_u32, 0_u32);
    let mut put = |bits: u32| {
        let sign = SIGNS.get(bits as usize & 63).copied().unwrap_or(b'A');
        out.push(char::from(sign));
    };
    for byte in bytes {
        held = held << 8 & 0xFFFF | u32::from(*byte);
        bits += 8;
        while bits >= 6 {
            bits -= 6;
            put(held >> bits);
        }
    }
    if bits > 0 {
        put(held << (6 - bits));
    }
    out
}

/// Text as bytes. `None` for characters outside the alphabet, for a length that no bytes have, and
/// where the bits left over at the end are not zero.
pub fn read(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut held, mut bits) = (0_u32, 0_u32);
    for sign in text.bytes() {
        held = held << 6 & 0xFFFF | value(sign)?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits) as u8);
        }
    }
    let rest = held & ((1 << bits) - 1);
    (bits < 6 && rest == 0).then_some(out)
}

/// Whether the alphabet has this character.
pub fn is_sign(sign: u8) -> bool {
    value(sign).is_some()
}

fn value(sign: u8) -> Option<u32> {
    let (first, offset) = match sign {
        b'A'..=b'Z' => (b'A', 0),
        b'a'..=b'z' => (b'a', 26),
        b'0'..=b'9' => (b'0', 52),
        b'-' => (b'-', 62),
        b'_' => (b'_', 63),
        _ => return None,
    };
    Some(u32::from(sign - first) + offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_texts() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg"),
            (b"fo", "Zm8"),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg"),
        ] {
            assert_eq!(write(bytes), text);
            assert_eq!(read(text).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn what_no_bytes_are_written_as_is_none() {
        for text in ["A", "Zh", "Zm9", "Zg==", "Zm 8", "Zm+8", "é", "AAAAA"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn bytes_survive(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(read(&write(&bytes)), Some(bytes));
        }
        #[test]
        fn a_text_that_is_read_is_the_only_one(text in "[A-Za-z0-9_-]{0,12}") {
            if let Some(bytes) = read(&text) {
                prop_assert_eq!(write(&bytes), text);
            }
        }
    }
}
