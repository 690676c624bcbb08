//! Lists of tasks: those of a server's Task API, as far as a page may read it, and those built in.
//!
//! A [`TaskLister`] is a machine like a session: it is started, fed inputs, and ends in one
//! [`TaskListing`]. Most servers cannot be read from a page of another site; then the answer is the
//! sentence that says so, and a task id is typed. Discovery never starts an episode.

mod entry;
mod lister;
#[cfg(test)]
mod tests;

pub use entry::{TaskEntry, built_in};
pub use lister::TaskLister;

/// How a listing ended.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskListing {
    /// There is a list.
    Listed(TaskList),
    /// There is none, and this is why.
    CannotList(CannotList),
}

/// The tasks of one environment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskList {
    /// The environment's name on its server.
    pub environment: String,
    /// Its tasks, split by split.
    pub entries: Vec<TaskEntry>,
    /// How many more there are.
    pub left_out: u32,
}

/// Why there is no list. Each text ends with the way on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotList {
    /// The browser keeps the answer from the page, or there is none; it tells only this.
    #[error(
        "{host} lists no tasks to a page from another site (it sends no CORS headers, as OpenEnv servers usually do not). {TYPE_ONE}"
    )]
    Unreadable {
        /// Host and port.
        host: String,
    },
    /// The server has no such list: OpenEnv before 0.4.1, or another program.
    #[error("{host} has no list of tasks (it answered 404). {TYPE_ONE}")]
    NoTaskApi {
        /// Host and port.
        host: String,
    },
    /// The environment does not list its tasks.
    #[error("the environment {environment} at {host} does not list its tasks. {TYPE_ONE}")]
    NotOffered {
        /// Host and port.
        host: String,
        /// The environment's name.
        environment: String,
    },
    /// It lists them, and there are none.
    #[error("{host} lists no tasks: its list is empty. {TYPE_ONE}")]
    Empty {
        /// Host and port.
        host: String,
    },
    /// Another status.
    #[error("{host} answered {status} when asked for its tasks. {TYPE_ONE}")]
    Status {
        /// Host and port.
        host: String,
        /// The status.
        status: u16,
    },
    /// The answer is in no form known here.
    #[error("{host} answered with something that is no list of tasks. {TYPE_ONE}")]
    NoList {
        /// Host and port.
        host: String,
    },
    /// No answer in time.
    #[error("{host} did not send its tasks within 20 s. {TYPE_ONE}")]
    TimedOut {
        /// Host and port.
        host: String,
    },
}

const TYPE_ONE: &str = "Type a task id, or a split and an index: that needs no list";
