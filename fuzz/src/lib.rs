//! What must be true of every record, wherever it came from.

use quayside::rollout::{self, FileError, Message, Record, Saved, Source, atif};
use quayside::share::{self, Choices, Held, LinkError, Outgoing};
use quayside::wire::json::compact;
use serde_json::Value;

/// A record leaves in every form there is, and what can be opened again is what left.
pub fn leaves_and_comes_back(record: &Record) {
    let text = record.to_json_string();
    let again = Record::from_text(&text);
    assert_eq!(again.as_ref(), Ok(record), "its file says something else");

    let saved = Saved {
        name: "a name".into(),
        ..Saved::from(record.clone())
    };
    let archives = rollout::archives(std::slice::from_ref(&saved));
    assert_eq!(archives.len(), 1);
    let opened = open("several.json", &archives[0]);
    assert_eq!(opened, [saved], "an export of several says something else");

    assert!(!rollout::markdown(record).is_empty());
    for plan in record.plans().into_iter().chain(record.last_plan()) {
        let csv = rollout::plan_csv(&plan);
        assert!(csv.is_empty() || csv.ends_with("\r\n"));
    }

    // Nothing is kept here; what looks like a key is found by its looks.
    let _ = share::secrets_in(record, &|_, _| {});

    let trajectory = atif::atif(record);
    assert!(atif::is_trajectory(&trajectory));
    let again = atif::read(&trajectory);
    if !record.messages.is_empty() {
        assert_eq!(
            said(&again),
            said(record),
            "a trajectory says something else"
        );
    }
    let text = compact(&trajectory);
    let opened = rollout::open(&[Source {
        name: "trajectory.json",
        bytes: text.as_bytes(),
    }]);
    match opened.troubles.as_slice() {
        [] => assert_eq!(
            opened.found[0].rollout,
            Saved::from(again),
            "a trajectory opens as something else"
        ),
        // A trajectory is nested deeper than its record, and no promise is made of the deepest.
        [trouble] => assert_eq!(trouble.fault, FileError::TooDeep),
        troubles => panic!("{troubles:?}"),
    }
}

/// Who said what.
fn said(record: &Record) -> Vec<(&str, &str)> {
    fn one(message: &Message) -> (&str, &str) {
        match message {
            Message::System { content, .. } => ("system", content.as_str()),
            Message::User { content, .. } => ("user", content),
            Message::Assistant { content, .. } => ("assistant", content),
            Message::Tool { content, .. } => ("tool", content),
            Message::Other(_) => ("other", ""),
        }
    }
    record.messages.iter().map(one).collect()
}

/// The rollouts of one file in which nothing is wrong.
fn open(name: &str, text: &str) -> Vec<Saved> {
    let bytes = text.as_bytes();
    let opened = rollout::open(&[Source { name, bytes }]);
    assert_eq!(opened.troubles, [], "{name} was written here");
    let found = opened.found.into_iter();
    found.map(|found| found.rollout).collect()
}

/// A record as the content of a link, and out of it; none where it is too large for one.
pub fn packed_and_opened(outgoing: &Outgoing<'_>, choices: Choices) -> Option<share::Opened> {
    let parcel = match share::pack(outgoing, choices) {
        Ok(parcel) => parcel,
        Err(LinkError::TooManyParts | LinkError::TooLarge) => return None,
        Err(error) => panic!("a record cannot be packed: {error}"),
    };
    let opened = parcel.opened().expect("what was packed opens");
    assert_eq!(opened.held, Held::of(choices, outgoing));
    assert_eq!(opened.form, parcel.form);
    let link = share::link(
        opened.form,
        share::Codec::Plain,
        &parcel.bytes,
        &parcel.check(),
    );
    let sealed = share::parse(&link).expect("what was written is a link");
    assert_eq!(sealed.payload, parcel.bytes);
    Some(opened)
}

/// JSON of any kind, read off bytes; deep as deep as a model may go by mistake.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn number(&mut self, bytes: usize) -> i64 {
        (0..bytes).fold(0, |number, _| number << 8 | i64::from(self.byte()))
    }

    /// A value; `words` are the names and texts that are worth trying.
    pub fn value(&mut self, words: &[&str], depth: usize) -> Value {
        match self.byte() % 12 {
            0 => Value::Null,
            1 => Value::Bool(self.byte() % 2 == 0),
            2 => (self.number(1) as i8).into(),
            3 => self.number(2).into(),
            4 => self.number(8).into(),
            5 => f64::from_bits(self.number(8) as u64).into(),
            6 => self.number(1).to_string().into(),
            7 => self.word(words).into(),
            8 | 9 if depth > 0 => {
                let many = self.byte() % 16;
                let items = (0..many).map(|_| self.value(words, depth - 1));
                items.collect()
            }
            10 | 11 if depth > 0 => {
                let many = self.byte() % 8;
                let fields = (0..many).map(|_| (self.word(words), self.value(words, depth - 1)));
                Value::Object(fields.collect())
            }
            _ => self.number(1).into(),
        }
    }

    fn word(&mut self, words: &[&str]) -> String {
        let place = usize::from(self.byte());
        match words.get(place) {
            Some(word) => (*word).to_owned(),
            None if place < 128 => self.byte().to_string(),
            None => {
                let many = usize::from(self.byte() % 16).min(self.0.len());
                let (word, rest) = self.0.split_at(many);
                self.0 = rest;
                String::from_utf8_lossy(word).into_owned()
            }
        }
    }
}
