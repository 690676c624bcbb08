//! A finished run, message by message: which plan stood when, so that chart and transcript keep in
//! step. In: the plans that messages sent. Out: numbers.

/// How a run went: for each message the number of plans sent by its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course(Vec<usize>);

impl Course {
    /// The course of messages, by the newest plan that each of them sent.
    pub fn of(newest: impl Iterator<Item = Option<usize>>) -> Self {
        let mut sent = 0;
        let by = newest.map(|draft| {
            sent = draft.unwrap_or(sent).max(sent);
            sent
        });
        Self(by.collect())
    }

    /// Messages in all.
    pub fn messages(&self) -> usize {
        self.0.len()
    }

    /// The plan that stood at the end of message `message` (from 1; 0 is before the first): 0 is
    /// the published one.
    pub fn draft_at(&self, message: usize) -> usize {
        let at = message.min(self.0.len()).checked_sub(1);
        at.and_then(|at| self.0.get(at)).copied().unwrap_or(0)
    }

    /// The message that sent plan `draft`; for the published one the last before any was sent. None
    /// where no message tells of it.
    pub fn message_of(&self, draft: usize) -> Option<usize> {
        if draft == 0 {
            let before = self.0.iter().take_while(|sent| **sent == 0).count();
            return (before > 0).then_some(before);
        }
        self.0
            .iter()
            .position(|sent| *sent >= draft)
            .map(|at| at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_plans_lead_to_one_another() {
        let newest = [None, None, None, Some(2), None, Some(3)];
        let course = Course::of(newest.into_iter());
        assert_eq!(course.messages(), 6);
        let plans: Vec<_> = (0..=7).map(|message| course.draft_at(message)).collect();
        assert_eq!(plans, [0, 0, 0, 0, 2, 2, 3, 3]);
        let messages: Vec<_> = (0..=4).map(|draft| course.message_of(draft)).collect();
        assert_eq!(messages, [Some(3), Some(4), Some(4), Some(6), None]);
    }

    #[test]
    fn plans_without_messages_stand_alone() {
        let course = Course::default();
        assert_eq!((course.messages(), course.draft_at(5)), (0, 0));
        assert_eq!((course.message_of(0), course.message_of(1)), (None, None));
    }
}
