//! Files offered to the person.

use super::{PlatformError, document};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement, Url};

/// Offers `text` as a file.
pub(super) fn text(name: &str, mime: &str, text: &str) {
    if let Ok(blob) = blob(mime, text) {
        let _ = offer(name, &blob);
    }
}

/// Draws a standalone SVG document and offers it as a PNG file, at twice its size.
pub(super) fn png(name: String, svg: &str) {
    let _ = draw(name, svg);
}

fn blob(mime: &str, text: &str) -> Result<Blob, PlatformError> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    Ok(Blob::new_with_str_sequence_and_options(&parts, &options)?)
}

fn offer(name: &str, blob: &Blob) -> Result<(), PlatformError> {
    let url = Url::create_object_url_with_blob(blob)?;
    let document = document().ok_or_else(|| PlatformError("no document".into()))?;
    let link: HtmlAnchorElement = document
        .create_element("a")?
        .dyn_into()
        .map_err(JsValue::from)?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The download holds the data by then.
    super::timer::soon(move || drop(Url::revoke_object_url(&url)));
    Ok(())
}

fn draw(name: String, svg: &str) -> Result<(), PlatformError> {
    let source = Url::create_object_url_with_blob(&blob("image/svg+xml", svg)?)?;
    let image = HtmlImageElement::new()?;
    let drawn = image.clone();
    let url = source.clone();
    let loaded = Closure::once_into_js(move || {
        let _ = paint(name, &drawn);
        drop(Url::revoke_object_url(&url));
    });
    image.set_onload(Some(loaded.unchecked_ref()));
    image.set_src(&source);
    Ok(())
}

fn paint(name: String, image: &HtmlImageElement) -> Result<(), PlatformError> {
    let document = document().ok_or_else(|| PlatformError("no document".into()))?;
    let canvas: HtmlCanvasElement = document
        .create_element("canvas")?
        .dyn_into()
        .map_err(JsValue::from)?;
    canvas.set_width(image.natural_width() * 2);
    canvas.set_height(image.natural_height() * 2);
    let context: web_sys::CanvasRenderingContext2d = canvas
        .get_context("2d")?
        .ok_or_else(|| PlatformError("no drawing surface".into()))?
        .dyn_into()
        .map_err(JsValue::from)?;
    context.draw_image_with_html_image_element_and_dw_and_dh(
        image,
        0.0,
        0.0,
        f64::from(canvas.width()),
        f64::from(canvas.height()),
    )?;
    let done = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            let _ = offer(&name, &blob);
        }
    });
    canvas.to_blob(done.unchecked_ref())?;
    Ok(())
}
