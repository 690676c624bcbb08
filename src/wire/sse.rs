//! Event streams: bytes as they come, events as they are complete.
//!
//! ```text
//! stream = [ BOM ] *event
//! event  = *( comment / field ) end-of-line
//! comment = ":" *any-char end-of-line
//! field  = name [ ":" [ SPACE ] *any-char ] end-of-line
//! end-of-line = CR LF / CR / LF
//! ```
//!
//! Of the fields only `data` counts: whoever reads the events of a model finds in it all that the
//! others say. Several `data` lines of an event are joined with LF. An event without a `data` line
//! is none, nor is one whose data is empty or `null` (a sign of life), nor one that the end of the
//! stream cuts off.
//!
//! A chunk may end anywhere: within a character, a line, or between CR and LF. Each byte is looked
//! at once, however long its line grows.

/// A stream under way.
#[derive(Debug, Default)]
pub struct EventStream {
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    /// The data of the event under way, each line with LF behind it.
    data: Vec<u8>,
    /// The last byte was CR: a LF that follows belongs to it.
    after_cr: bool,
    /// The first line has been seen.
    begun: bool,
}

/// Takes an event's data; false: no more.
pub type Take<'a> = &'a mut dyn FnMut(&str) -> bool;

impl EventStream {
    /// Takes more bytes and hands out the events that they complete, until it is told to stop; then
    /// the stream is over, and what is left of the bytes is forgotten.
    pub fn push(&mut self, mut bytes: &[u8], take: Take<'_>) {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(at) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(at);
            bytes = match rest {
                [b'\r', b'\n', rest @ ..] => rest,
                [end, rest @ ..] => {
                    self.after_cr = *end == b'\r' && rest.is_empty();
                    rest
                }
                [] => rest,
            };
            let goes_on = if self.line.is_empty() {
                self.end_line(line, take)
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                let goes_on = self.end_line(&whole, take);
                whole.clear();
                self.line = whole;
                goes_on
            };
            if !goes_on {
                return;
            }
        }
        self.line.extend_from_slice(bytes);
    }

    fn end_line(&mut self, mut line: &[u8], take: Take<'_>) -> bool {
        if !self.begun {
            self.begun = true;
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            return self.end_event(take);
        }
        if let Some(data) = line.strip_prefix(b"data") {
            match data {
                [b':', b' ', data @ ..] | [b':', data @ ..] => self.data.extend_from_slice(data),
                [] => {}
                // A longer name.
                _ => return true,
            }
            self.data.push(b'\n');
        }
        true
    }

    fn end_event(&mut self, take: Take<'_>) -> bool {
        let data = self.data.strip_suffix(b"\n").unwrap_or_default();
        let goes_on = match data.trim_ascii() {
            b"" | b"null" => true,
            data => take(&String::from_utf8_lossy(data)),
        };
        self.data.clear();
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn events<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let (mut stream, mut out) = (EventStream::default(), Vec::new());
        for chunk in chunks {
            stream.push(chunk, &mut |data| {
                out.push(data.to_owned());
                true
            });
        }
        out
    }

    fn of(text: &str) -> Vec<String> {
        let whole = events([text.as_bytes()]);
        assert_eq!(events(text.as_bytes().chunks(1)), whole, "byte by byte");
        whole
    }

    #[test]
    fn lines_end_in_three_ways_and_a_space_is_dropped_once() {
        assert_eq!(of("data: a\n\ndata:b\r\rdata:  c\r\n\r\n"), ["a", "b", "c"]);
        assert_eq!(of("data:  {\"a\": 1}\r\n\n"), ["{\"a\": 1}"]);
    }

    #[test]
    fn lines_of_an_event_are_joined_and_other_fields_skipped() {
        let text = "event: x\nid: 7\ndata: 1\n: note\ndata\ndata: 2\nretry: 5\ndatum: 3\n\n";
        assert_eq!(of(text), ["1\n\n2"]);
    }

    #[test]
    fn a_mark_at_the_start_is_dropped() {
        assert_eq!(of("\u{feff}data: 1\n\n\u{feff}data: 2\n\n"), ["1"]);
    }

    #[test]
    fn signs_of_life_and_events_cut_off_are_none() {
        let text = ":\n\n: ping\n\ndata\n\ndata:\n\ndata: null\n\nevent: x\n\ndata: 1\n\ndata: 2\n";
        assert_eq!(of(text), ["1"]);
    }

    #[test]
    fn characters_may_be_cut_and_what_is_no_character_is_replaced() {
        assert_eq!(of("data: ⚓🚢\n\n"), ["⚓🚢"]);
        assert_eq!(events([&b"data: \xf0\x9f\n\n"[..]]), ["\u{fffd}"]);
    }

    #[test]
    fn who_wants_no_more_gets_no_more() {
        let mut seen = 0;
        EventStream::default().push(b"data: 1\n\ndata: 2\n\n", &mut |_| {
            seen += 1;
            false
        });
        assert_eq!(seen, 1);
    }

    proptest! {
        #[test]
        fn the_events_do_not_depend_on_the_chunks(
            lines in prop::collection::vec("(data:|data: |:|id: |)[a🚢{}\u{feff}]{0,3}(\n|\r|\r\n)", 0..20),
            size in 1_usize..9,
        ) {
            let text = lines.concat();
            prop_assert_eq!(events(text.as_bytes().chunks(size)), events([text.as_bytes()]));
        }
    }
}
