//! The browser's own packing: deflate for links, inflate and gunzip for what comes in.

use super::PlatformError;
use super::keys::Keys;
use crate::app::intent::{PackFailure, Packing};
use crate::share::MOST_INFLATED;
use js_sys::{Array, Function, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamDefaultReader, ReadableWritablePair};

/// Packs or unpacks. What holds one of the person's keys is not packed: packing is for what leaves.
pub(super) async fn pack(work: Packing, keys: &Keys) -> Result<Vec<u8>, PackFailure> {
    let (stream, format, bytes) = match &work {
        Packing::Deflate(bytes) if keys.occur_in(bytes) => return Err(PackFailure::OwnKey),
        Packing::Deflate(bytes) => ("CompressionStream", "deflate-raw", bytes),
        Packing::Inflate(bytes) => ("DecompressionStream", "deflate-raw", bytes),
        Packing::Gunzip(bytes) => ("DecompressionStream", "gzip", bytes),
    };
    let reader = through(stream, format, bytes).map_err(|_| PackFailure::Unable)?;
    let mut out = Vec::new();
    loop {
        let chunk = JsFuture::from(reader.read())
            .await
            .map_err(|_| PackFailure::Damaged)?;
        let field = |name: &str| Reflect::get(&chunk, &name.into()).ok();
        if field("done").is_none_or(|done| done.is_truthy()) {
            return Ok(out);
        }
        let Some(bytes) = field("value").and_then(|value| value.dyn_into::<Uint8Array>().ok())
        else {
            return Err(PackFailure::Damaged);
        };
        if out.len() + bytes.length() as usize > MOST_INFLATED {
            let _ = reader.cancel();
            return Err(PackFailure::TooLarge);
        }
        out.extend_from_slice(&bytes.to_vec());
    }
}

/// A reader of the bytes behind one of the browser's streams.
fn through(
    stream: &str,
    format: &str,
    bytes: &[u8],
) -> Result<ReadableStreamDefaultReader, PlatformError> {
    let maker: Function = Reflect::get(&js_sys::global(), &stream.into())?
        .dyn_into()
        .map_err(|_| PlatformError(["this browser has no ", stream].concat()))?;
    let stream = Reflect::construct(&maker, &Array::of1(&format.into()))?;
    let blob = Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(bytes)))?;
    let pair: ReadableWritablePair = stream.unchecked_into();
    let reader: JsValue = blob.stream().pipe_through(&pair).get_reader().into();
    Ok(reader.unchecked_into())
}
