//! The price list, fetched from beside the page when a model might cost something; never for the
//! start screen.

use crate::provider::prices::Prices;
use crate::wire::exchange::Exchange;
use crate::wire::{HttpRequest, Input, Io, Millis};
use std::sync::Arc;

/// Where the list lies, relative to the page.
const LIST: &str = "prices/prices.json";
/// How long it may take. A run waits for it no longer than this.
const PATIENCE: Millis = Millis(8_000);

/// The price list, as far as it is here.
#[derive(Default)]
pub struct PriceList {
    exchange: Option<Exchange>,
    /// The list. Without it no price is known.
    pub list: Option<Arc<Prices>>,
}

impl PriceList {
    /// Asks for it, unless it is here or on its way. One that did not come is asked for again.
    pub fn load(&mut self, io: &mut Io) {
        if self.list.is_none() && self.exchange.is_none() {
            self.exchange = Some(Exchange::start(io, HttpRequest::get(LIST), PATIENCE));
        }
    }

    /// Whether it is on its way.
    pub fn is_loading(&self) -> bool {
        self.exchange.is_some()
    }

    /// Takes an input that may be its own; true when it is no longer on its way.
    pub fn handle(&mut self, io: &mut Io, input: &Input) -> bool {
        let exchange = self.exchange.as_mut();
        let Some(reply) = exchange.and_then(|exchange| exchange.handle(io, input)) else {
            return false;
        };
        self.exchange = None;
        self.list = reply.json().and_then(Prices::read).map(Arc::new);
        true
    }
}
