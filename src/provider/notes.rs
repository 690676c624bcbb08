//! A cut-off turn's reasoning, handed back to the model as its own notes: the two ways to say so.
//!
//! A history that keeps no reasoning holds an empty assistant message after such a turn; the notes
//! take its place ([`as_own_words`]). Other histories get them as a user text ([`as_user_text`]).

/// What stands before notes in a user text.
pub const IN_USER_TEXT: &str = "(What you had worked out before your last turn was cut off)";

/// What stands before notes in place of an empty assistant message.
pub const IN_OWN_WORDS: &str = "(What I had worked out when the output limit cut me off)";

/// Notes as a user text.
pub fn as_user_text(notes: &str) -> String {
    format!("{IN_USER_TEXT}\n{notes}")
}

/// Notes as the content of the cut-off turn's own message.
pub fn as_own_words(notes: &str) -> String {
    format!("{IN_OWN_WORDS}\n{notes}")
}
