//! The text of a link: its parts, put together and taken apart, and the seal over the content.
//!
//! ```text
//! 1pd.y0sozk1NKUst0k3OTy3RNTU.3q2-7wAB
//! │││ │                       └ check: the first 8 characters of base64url(SHA-256(content))
//! │││ └ the content, through the codec, as base64url without padding
//! ││└ codec: 0 none, d deflate without a header (RFC 1951)
//! │└ form: p plans, w with the model's words, f everything
//! └ version
//! ```
//!
//! Nothing is guessed: a version, form or codec that is not in this list is an error that says so.

use super::{CHECK, MOST_INFLATED, Opened, base64, digest, unpack};

/// The version that is written and read.
pub const VERSION: char = '1';

/// Where a link's fragment begins.
const ROUTE: &str = "#/r/";

/// How much of a rollout a link holds; a promise to whoever looks at the link only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Plans, without the conversation.
    #[default]
    Plans,
    /// Plans and what the model said.
    Words,
    /// What the tools answered, too.
    Full,
}

impl Form {
    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Self::Plans => 'p',
            Self::Words => 'w',
            Self::Full => 'f',
        }
    }

    fn parse(letter: char) -> Option<Self> {
        [Self::Plans, Self::Words, Self::Full]
            .into_iter()
            .find(|form| form.letter() == letter)
    }
}

/// How the content was made shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// It was not.
    Plain,
    /// `CompressionStream("deflate-raw")`.
    Deflate,
}

impl Codec {
    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Self::Plain => '0',
            Self::Deflate => 'd',
        }
    }

    fn parse(letter: char) -> Option<Self> {
        [Self::Plain, Self::Deflate]
            .into_iter()
            .find(|codec| codec.letter() == letter)
    }
}

/// Why a link does not open, or cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It stops before its end.
    #[error(
        "this link ends early: {characters} characters arrived, and its end is missing; a chat app may have cut it at 2,000 characters. Ask for the whole link, or for the file"
    )]
    Cut {
        /// Characters of the code that arrived.
        characters: usize,
    },
    /// It is whole, but something in it has changed.
    #[error(
        "this link is damaged: its content does not match its check. Copy it again from where it came from, or ask for the file"
    )]
    Damaged,
    /// Not in the form of a link.
    #[error("this is no link to a rollout: it does not begin as one does. Check what was pasted")]
    NotALink,
    /// Written by a later page.
    #[error(
        "this link has version {0}, and this page reads version 1. Reload the page to get its newest version"
    )]
    Version(char),
    /// A form that this version does not have.
    #[error(
        "this link has the form {0}, and this page reads p, w and f. Reload the page, or ask for the file"
    )]
    Form(char),
    /// A codec that this version does not have.
    #[error(
        "this link is packed with the codec {0}, and this page reads 0 and d. Reload the page, or ask for the file"
    )]
    Codec(char),
    /// Unpacked it would be larger than [`MOST_INFLATED`].
    #[error("this rollout is larger than 32 MiB, too large for a link. Use the file instead")]
    TooLarge,
    /// It has more parts than a page should build.
    #[error("this rollout has too many parts for a link. Use the file instead")]
    TooManyParts,
}

/// A link's parts, before its content is unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// How much it holds.
    pub form: Form,
    /// How the payload was made shorter.
    pub codec: Codec,
    /// The content, through the codec.
    pub payload: Vec<u8>,
    /// Check over the content.
    pub check: String,
}

impl Sealed {
    /// The payload is the content as it is.
    pub fn is_plain(&self) -> bool {
        self.codec == Codec::Plain
    }
}

/// The code of a link. `payload` is the content through `codec`; `check` that of the content
/// itself ([`super::check`]).
///
/// ```
/// use quayside::share::{self, Codec, Form};
/// let code = share::link(Form::Plans, Codec::Plain, b"abc", &share::check(b"abc"));
/// assert_eq!(code, "1p0.YWJj.ungWv48B");
/// let sealed = share::parse(&code).unwrap();
/// assert_eq!((sealed.form, sealed.payload.as_slice()), (Form::Plans, &b"abc"[..]));
/// ```
pub fn link(form: Form, codec: Codec, payload: &[u8], check: &str) -> String {
    let payload = base64::write(payload);
    format!(
        "{VERSION}{}{}.{payload}.{check}",
        form.letter(),
        codec.letter()
    )
}

/// The fragment of the page that opens a code, with its `#`.
pub fn fragment(code: &str) -> String {
    format!("{ROUTE}{code}")
}

/// Takes a code apart. What a fragment may have round it (`#/r/` before, view state from `?` or
/// `&` on) is let pass.
///
/// # Errors
/// [`LinkError::Cut`] where the end is missing, [`LinkError::Damaged`] for characters that no link
/// has, [`LinkError::NotALink`], and what this version does not know.
pub fn parse(code: &str) -> Result<Sealed, LinkError> {
    let code = code.trim();
    let code = code.strip_prefix(ROUTE).unwrap_or(code);
    let code = code.split(['?', '&']).next().unwrap_or_default();
    let cut = LinkError::Cut {
        characters: code.chars().count(),
    };
    let mut parts = code.splitn(3, '.');
    let head = parts.next().unwrap_or_default();
    let mut letters = head.chars();
    let Some(version) = letters.next() else {
        return Err(LinkError::NotALink);
    };
    if !version.is_ascii_digit() {
        return Err(LinkError::NotALink);
    }
    if version != VERSION {
        return Err(LinkError::Version(version));
    }
    let form = letters.next().ok_or(cut)?;
    let form = Form::parse(form).ok_or(LinkError::Form(form))?;
    let codec = letters.next().ok_or(cut)?;
    let codec = Codec::parse(codec).ok_or(LinkError::Codec(codec))?;
    if letters.next().is_some() {
        return Err(LinkError::NotALink);
    }
    let payload = parts.next().ok_or(cut)?;
    let check = parts.next();
    let both = payload.bytes().chain(check.unwrap_or_default().bytes());
    if !both.into_iter().all(base64::is_sign) {
        return Err(LinkError::Damaged);
    }
    let check = check.filter(|check| check.len() >= CHECK).ok_or(cut)?;
    if check.len() > CHECK {
        return Err(LinkError::Damaged);
    }
    Ok(Sealed {
        form,
        codec,
        payload: base64::read(payload).ok_or(LinkError::Damaged)?,
        check: check.to_owned(),
    })
}

/// Opens the content of a link, once it is unpacked: what `form` and `check` of [`Sealed`] say,
/// and the bytes behind its codec.
///
/// # Errors
/// [`LinkError::Damaged`] where bytes and check differ or the bytes are no content of that form,
/// [`LinkError::TooLarge`] and [`LinkError::TooManyParts`].
pub fn open(form: Form, bytes: &[u8], check: &str) -> Result<Opened, LinkError> {
    if bytes.len() > MOST_INFLATED {
        return Err(LinkError::TooLarge);
    }
    if digest::check(bytes) != check {
        return Err(LinkError::Damaged);
    }
    unpack::read(form, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_code_is_found_inside_its_fragment() {
        let code = link(Form::Words, Codec::Deflate, b"abcd", "ABCDEFGH");
        assert_eq!(code, "1wd.YWJjZA.ABCDEFGH");
        for text in [
            code.clone(),
            fragment(&code),
            format!("#/r/{code}?m=12"),
            format!(" #/r/{code}&h=104&v=diff\n"),
        ] {
            let sealed = parse(&text).unwrap();
            assert_eq!((sealed.form, sealed.codec), (Form::Words, Codec::Deflate));
            assert_eq!(
                (sealed.payload.as_slice(), sealed.check.as_str()),
                (&b"abcd"[..], "ABCDEFGH")
            );
        }
    }

    #[test]
    fn a_link_cut_anywhere_after_its_first_letter_is_cut() {
        let code = link(Form::Plans, Codec::Plain, b"0123456789", "ABCDEFGH");
        for length in 1..code.len() {
            let cut = parse(&code[..length]);
            assert_eq!(cut, Err(LinkError::Cut { characters: length }));
        }
    }

    #[test]
    fn what_this_version_does_not_know_is_named() {
        assert_eq!(parse("2pd.YQ.ABCDEFGH"), Err(LinkError::Version('2')));
        assert_eq!(parse("1xd.YQ.ABCDEFGH"), Err(LinkError::Form('x')));
        assert_eq!(parse("1pb.YQ.ABCDEFGH"), Err(LinkError::Codec('b')));
        assert_eq!(parse("1pdd.YQ.ABCDEFGH"), Err(LinkError::NotALink));
        assert_eq!(parse(""), Err(LinkError::NotALink));
        assert_eq!(parse("hello"), Err(LinkError::NotALink));
    }

    #[test]
    fn strange_characters_and_a_long_check_are_damage() {
        for code in [
            "1p0.Y Q.ABCDEFGH",
            "1p0.YQ.ABCDEFGHI",
            "1p0.YQ.ABCD.FGH",
            "1p0.YR.ABCDEFGH",
        ] {
            assert_eq!(parse(code), Err(LinkError::Damaged), "{code}");
        }
    }

    #[test]
    fn content_that_is_too_large_is_not_looked_at() {
        let bytes = vec![0; MOST_INFLATED + 1];
        assert_eq!(
            open(Form::Plans, &bytes, "AAAAAAAA"),
            Err(LinkError::TooLarge)
        );
    }

    #[test]
    fn the_errors_say_what_to_do() {
        let cut = LinkError::Cut { characters: 2000 }.to_string();
        assert!(cut.contains("ends early: 2000 characters arrived"));
        assert!(cut.contains("a chat app may have cut it at 2,000 characters"));
        assert!(LinkError::Version('3').to_string().contains("version 3"));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in ".{0,40}") {
            let _ = parse(&text);
        }
        #[test]
        fn what_is_parsed_is_written_alike(text in "1[pwf][0d]\\.[A-Za-z0-9_-]{0,20}\\.[A-Za-z0-9_-]{8}") {
            if let Ok(sealed) = parse(&text) {
                let again = link(sealed.form, sealed.codec, &sealed.payload, &sealed.check);
                prop_assert_eq!(again, text);
            }
        }
    }
}
