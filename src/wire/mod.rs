//! What crosses the page's border, as plain data: facts that come in ([`Input`]), orders that go
//! out ([`Effect`]), and [`Io`], the pen with which a machine writes its orders.
//! No JavaScript value, no clock, no future. The driver in `platform` is the only reader of effects.

pub mod exchange;
pub mod http;
pub mod json;
pub mod retry_after;
pub mod sse;

pub use http::{FetchFailure, Headers, HttpEvent, HttpRequest, KeyUse};

/// Milliseconds: a moment since the Unix epoch, or a length of time, as the name says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u64);

impl Millis {
    /// The time from `earlier` until here; zero when the clock went back.
    #[must_use]
    pub fn since(self, earlier: Millis) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
    /// Seconds, rounded down.
    pub fn seconds(self) -> u64 {
        self.0 / 1000
    }
}

/// One HTTP exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u32);
/// One wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimerId(pub u32);
/// One WebSocket. A new connection is a new id, so what an old one still says falls through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SocketId(pub u32);

/// A fact the page reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Something happened on a WebSocket.
    Socket(SocketId, SocketEvent),
    /// Something happened in an HTTP exchange.
    Http(CallId, HttpEvent),
    /// A wait is over.
    Timer(TimerId),
}

/// What a WebSocket reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketEvent {
    /// The handshake succeeded.
    Opened,
    /// A text frame.
    Text(String),
    /// A binary frame, of this many bytes.
    Binary(usize),
    /// The socket is closed, by whichever side; nothing follows.
    Closed {
        /// Close code; 1006 when the browser tells no reason.
        code: u16,
        /// The server's reason, often empty.
        reason: String,
    },
    /// The browser refused to open it at all (mixed content, malformed address); nothing follows.
    Refused(String),
}

/// An order to the page. Ids are never used twice.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Open a WebSocket.
    Open(SocketId, String),
    /// Send a text frame; ignored when the socket is no longer open.
    Send(SocketId, String),
    /// Close a socket. Its `Closed` may or may not still be reported.
    Close(SocketId),
    /// Send a request; its events come back under the same id.
    Fetch(CallId, HttpRequest),
    /// Give a request up.
    Abort(CallId),
    /// Report [`Input::Timer`] after this many milliseconds (0: as soon as the page has drawn).
    Wait(TimerId, Millis),
    /// Forget a wait.
    CancelWait(TimerId),
}

/// The clock's answer and the order pad, lent to a machine while it handles one input.
#[derive(Debug, Default)]
pub struct Io {
    /// The moment of this input.
    pub now: Millis,
    /// Orders given so far; the driver takes them.
    pub out: Vec<Effect>,
    next: u32,
}

impl Io {
    /// A pad whose ids start at 1.
    pub fn new(now: Millis) -> Self {
        Self {
            now,
            ..Self::default()
        }
    }
    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
    /// Orders a WebSocket.
    pub fn open(&mut self, url: impl Into<String>) -> SocketId {
        let id = SocketId(self.id());
        self.out.push(Effect::Open(id, url.into()));
        id
    }
    /// Sends a text frame.
    pub fn send(&mut self, socket: SocketId, text: impl Into<String>) {
        self.out.push(Effect::Send(socket, text.into()));
    }
    /// Closes a socket.
    pub fn close(&mut self, socket: SocketId) {
        self.out.push(Effect::Close(socket));
    }
    /// Orders a request.
    pub fn fetch(&mut self, request: HttpRequest) -> CallId {
        let id = CallId(self.id());
        self.out.push(Effect::Fetch(id, request));
        id
    }
    /// Gives a request up.
    pub fn abort(&mut self, call: CallId) {
        self.out.push(Effect::Abort(call));
    }
    /// Orders a wait.
    pub fn wait(&mut self, length: Millis) -> TimerId {
        let id = TimerId(self.id());
        self.out.push(Effect::Wait(id, length));
        id
    }
    /// Forgets a wait.
    pub fn cancel_wait(&mut self, timer: TimerId) {
        self.out.push(Effect::CancelWait(timer));
    }
    /// Takes the orders given so far.
    pub fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.out)
    }
}
