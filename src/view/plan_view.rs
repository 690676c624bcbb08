//! The chart of one step of a run. In: a run's plans, which one, whether the difference is drawn.
//! Out: a [`Chart`]. The environment's verdict comes before the page's own: it is the one that
//! counts, and the chart says whose it is.

use super::Drafts;
use super::chart::{Chart, ChartInput, Layer, Mini, Told, mini};

/// The chart of a step: 0 is the published plan, `n` the `n`-th plan sent.
pub fn chart(drafts: &Drafts, step: usize, difference: bool) -> Chart {
    let task = drafts.task.as_deref();
    let published = drafts.published.as_deref();
    let Some(draft) = step
        .checked_sub(1)
        .and_then(|index| drafts.drafts.get(index))
    else {
        return match (task, published) {
            (Some(task), Some((plan, check))) => {
                Chart::new(&ChartInput::plan(task, plan, Some(check), Layer::Published))
            }
            _ => Chart::default(),
        };
    };
    let layer = if draft.submitted {
        Layer::Submitted
    } else {
        Layer::Draft(draft.number as u32)
    };
    let told: Vec<Told> = told(draft);
    let whose = if draft.submitted {
        "from the submission".to_owned()
    } else {
        format!("from check {}", draft.number)
    };
    let input = match task {
        Some(task) => ChartInput::plan(task, &draft.plan, draft.check.as_ref(), layer),
        None => ChartInput::entries(&draft.raw, layer),
    };
    let input = if draft.verdict.feasible.is_some() {
        input.told(&told, &whose)
    } else {
        input
    };
    let before = step
        .checked_sub(2)
        .and_then(|index| drafts.drafts.get(index));
    let input = match (difference, before, published) {
        (true, Some(before), _) => input.since(&before.plan, before.check.as_ref()),
        (true, None, Some((plan, check))) => input.since(plan, Some(check)),
        _ => input,
    };
    Chart::new(&input)
}

fn told(draft: &super::Draft) -> Vec<Told> {
    let violations = draft
        .verdict
        .problems
        .iter()
        .map(|(ship, kind, text)| Told {
            ship: *ship,
            kind: (!kind.is_empty()).then(|| kind.clone()),
            text: text.clone(),
        });
    let entries = draft.verdict.entry_problems.iter().map(|text| Told {
        ship: None,
        kind: None,
        text: text.clone(),
    });
    violations.chain(entries).collect()
}

/// The thumbnail of a step.
pub fn thumbnail(drafts: &Drafts, step: usize) -> Mini {
    mini(&chart(drafts, step, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::pack;
    use crate::view::chart::export;
    use std::sync::Arc;

    /// `index.html` holds this picture, so that it is painted before the program runs.
    /// `INSTA_UPDATE=always cargo test still` writes it anew.
    #[test]
    fn the_still_picture_of_the_page_is_that_of_the_first_task() {
        let drafts = Drafts::of_task(Arc::new(pack::first()));
        let drawn = export::static_svg(&chart(&drafts, 0, false));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/still.svg");
        if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            std::fs::write(path, &drawn).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), drawn);
    }

    #[test]
    fn a_step_that_is_not_there_shows_the_published_plan() {
        let drafts = Drafts::of_task(Arc::new(pack::first()));
        assert_eq!(chart(&drafts, 7, true), chart(&drafts, 0, false));
        assert_eq!(chart(&Drafts::default(), 0, false), Chart::default());
    }
}
