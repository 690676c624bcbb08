//! The demonstration on the start screen: one run of the planner on the first task, shown step by
//! step: the published plan, each draft, the submitted plan with its grade.

use super::runner::{self, PLANNER, Run, Runner};
use crate::berth::Task;
use crate::env::{Reset, TaskRef};
use crate::episode::{Command, Setup};
use crate::settings::Limits;
use crate::view::money::Tariff;
use crate::wire::{Input, Io, Millis, TimerId};
use std::sync::Arc;

/// How long a step stays before the next one: long enough to see ships move, short enough for
/// four steps in five seconds.
const STEP: Millis = Millis(1_050);

/// The demonstration.
#[derive(Default)]
pub struct Demo {
    /// The run behind it. It is not kept: it can be had again at any time.
    pub runner: Runner,
    /// The step on show: 0 is the published plan, `n` the `n`-th plan sent.
    pub step: usize,
    /// Steps follow one another by themselves.
    pub playing: bool,
    /// The last step was on show, so its grade may be.
    pub finished: bool,
    /// The newest step is shown as it comes, without playing.
    follow: bool,
    timer: Option<TimerId>,
}

impl Demo {
    /// Runs the planner. `auto` steps through as the drafts come; otherwise the last one is shown.
    pub fn run(&mut self, io: &mut Io, task: &Arc<Task>, episode_id: String, auto: bool) {
        let setup = Setup {
            model_spec: PLANNER.into(),
            reset: Reset {
                task: TaskRef::Id(task.task_id.clone()),
                episode_id,
            },
            limits: Limits::default(),
            price: None,
            fallback_instructions: None,
            place: crate::rollout::Place {
                server: "builtin".into(),
                task: task.task_id.clone(),
            },
        };
        let session = Runner::builtin(Some(task), &task.task_id);
        let run = Run {
            setup,
            session,
            make_model: runner::planner(io.now.0),
            tariff: Tariff::Inside,
            task: Some(task.clone()),
            server: "builtin",
        };
        self.runner.start(io, run);
        self.step = 0;
        self.finished = false;
        if auto {
            self.play(io);
        } else {
            self.hold(io);
            self.follow = true;
        }
    }

    /// Steps through from the beginning.
    pub fn replay(&mut self, io: &mut Io) {
        self.step = 0;
        self.play(io);
    }

    /// Shows one step and stays there.
    pub fn show(&mut self, io: &mut Io, step: usize) {
        self.hold(io);
        self.step = step.min(self.last_step());
    }

    /// Ends the run, if it still goes on, and stays where it is.
    pub fn stop(&mut self, io: &mut Io) {
        self.runner.command(io, Command::Stop);
        self.hold(io);
    }

    /// Takes an input that may be its own.
    pub fn handle(&mut self, io: &mut Io, input: &Input) {
        self.runner.handle(io, input);
        match input {
            Input::Timer(timer) if self.timer == Some(*timer) => {
                self.timer = None;
                if self.step < self.last_step() {
                    self.step += 1;
                }
                if self.step < self.last_step() || self.runner.is_running() {
                    self.timer = Some(io.wait(STEP));
                } else {
                    self.playing = false;
                }
            }
            _ if self.follow => self.step = self.last_step(),
            _ => {}
        }
        self.settle();
    }

    fn settle(&mut self) {
        self.finished |= !self.runner.is_running() && self.step == self.last_step();
    }

    /// The last step there is so far.
    pub fn last_step(&self) -> usize {
        self.runner.model.drafts.drafts.len()
    }

    fn play(&mut self, io: &mut Io) {
        self.hold(io);
        self.playing = true;
        self.timer = Some(io.wait(STEP));
    }

    fn hold(&mut self, io: &mut Io) {
        self.playing = false;
        self.follow = false;
        if let Some(timer) = self.timer.take() {
            io.cancel_wait(timer);
        }
    }
}
