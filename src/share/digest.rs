//! SHA-256, as a link's check and as the seal of a file that a link points to.

use super::base64;
use sha2::{Digest, Sha256};

/// Characters of a link's check: 48 bits, enough against accidents. It is no signature.
pub const CHECK: usize = 8;

/// SHA-256 of bytes as base64url, 43 characters.
///
/// ```
/// let seal = quayside::share::seal(b"");
/// assert_eq!(seal, "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
/// ```
pub fn seal(bytes: &[u8]) -> String {
    base64::write(&Sha256::digest(bytes))
}

/// The first [`CHECK`] characters of [`seal`]: what stands at the end of a link whose uncompressed
/// payload these bytes are.
pub fn check(bytes: &[u8]) -> String {
    let mut text = seal(bytes);
    text.truncate(CHECK);
    text
}

/// Three bytes that tell one task from another of the same name: the first of its text's SHA-256.
pub(super) fn mark(text: &str) -> [u8; 3] {
    let digest = Sha256::digest(text);
    let mut mark = [0; 3];
    for (to, from) in mark.iter_mut().zip(digest) {
        *to = from;
    }
    mark
}
