//! Properties of links as a whole: round trips, damage, hostile content, and what never leaves.

use super::bytes::Writer;
use super::*;
use crate::berth::pack::first;
use crate::chat::Usage;
use crate::rollout::{Final, Message, RecordCall, Step, utc_text};
use crate::wire::Millis;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const EVERYTHING: Choices = Choices {
    plans: true,
    words: true,
    reasoning: true,
    outputs: true,
    server: true,
};

fn extra() -> Map<String, Value> {
    json!({"canary": "CANARY"}).as_object().unwrap().clone()
}

fn rows(numbers: &[(i64, i64, i64, i64)]) -> Value {
    let row = |(ship, hour, section, cranes): &(i64, i64, i64, i64)| json!({"ship": ship, "berth_hour": hour, "section": section, "cranes": cranes});
    numbers.iter().map(row).collect()
}

fn outgoing<'a>(record: &'a Record, task: Option<&'a Task>) -> Outgoing<'a> {
    Outgoing {
        record,
        task,
        server: "wss://ann:pw@Play.example.org:8443/x/ws?token=CANARY",
    }
}

/// The code of a link that is not compressed.
fn plain(parcel: &Parcel) -> String {
    link(parcel.form, Codec::Plain, &parcel.bytes, &parcel.check())
}

fn read(code: &str) -> Result<Opened, LinkError> {
    let sealed = parse(code)?;
    match sealed.codec {
        Codec::Plain => open(sealed.form, &sealed.payload, &sealed.check),
        Codec::Deflate => Err(LinkError::Damaged),
    }
}

/// What a link that holds everything leaves of a record.
fn essence(record: &Record) -> Record {
    let mut record = record.clone();
    let mut calls = Vec::new();
    record
        .messages
        .retain(|message| !matches!(message, Message::Other(_)));
    for message in &mut record.messages {
        match message {
            Message::System { extra, .. } | Message::User { extra, .. } => extra.clear(),
            Message::Assistant {
                tool_calls, extra, ..
            } => {
                extra.clear();
                for call in tool_calls {
                    calls.push(call.id.clone());
                    call.id = format!("c{}", calls.len());
                    call.extra.clear();
                }
            }
            Message::Tool {
                tool_call_id,
                extra,
                ..
            } => {
                extra.clear();
                let call = calls.iter().rposition(|id| id == tool_call_id);
                *tool_call_id = call.map_or(String::new(), |place| format!("c{}", place + 1));
            }
            Message::Other(_) => {}
        }
    }
    for step in &mut record.steps {
        step.plan = words::plan_of(&step.plan);
        step.extra.clear();
    }
    record.end_reason = record.end_reason.filter(|word| !word.is_empty());
    record.last.plan = words::plan_of(&record.last.plan);
    record.last.extra.clear();
    record.usage_extra.clear();
    record.usage = Usage {
        input: record.usage.input,
        output: record.usage.output,
        ..Usage::default()
    };
    record.extra.clear();
    record
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z ]{0,8}",
        1 => any::<String>(),
        1 => Just("nul \0, ü, ⚓, \u{10FFFF}, \\ud800".to_owned()),
    ]
}

fn any_plan() -> impl Strategy<Value = Value> {
    let row = (0..4_i64, -3..90_i64, 0..12_i64, 0..4_i64);
    let rows = prop::collection::vec(row, 0..5).prop_map(|numbers| rows(&numbers));
    prop_oneof![
        5 => rows.clone(),
        1 => rows.clone().prop_map(|rows| rows.to_string().into()),
        1 => rows.prop_map(|rows| json!({ "plan": rows })),
        1 => any_text().prop_map(Value::from),
        1 => prop::sample::select(vec![
            Value::Null, json!({"0": [1, 2]}), json!([1e300, -0.5, u64::MAX]), json!([[[[]]]]),
            json!([{"ship": 0, "berth_hour": 1, "section": 2}]), json!("\"[1]\""),
        ]),
    ]
}

fn any_tool() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec!["check_plan", "submit_plan", "get_situation"])
            .prop_map(str::to_owned),
        1 => any_text(),
    ]
}

/// How a turn's call is written: in which spelling, or as any text.
fn any_arguments(plan: &Value, way: usize, text: &str) -> String {
    let pretty = || crate::wire::json::indented(&json!({"plan": plan}));
    match way {
        0..6 => super::plans::spelled(plan, way).unwrap(),
        6 => pretty(),
        7 => json!({"plan": plan, "note": text}).to_string(),
        _ => text.to_owned(),
    }
}

prop_compose! {
    fn any_turn()(
        content in any_text(), reasoning in any_text(), stop in any_text(),
        calls in prop::collection::vec(
            (any_tool(), any_plan(), 0..10_usize, any_text(), any::<bool>(), any_text()), 0..3),
        before in prop::option::of(any_text()), odd in 0..12,
    ) -> (Vec<Message>, Vec<Step>) {
        let (mut messages, mut steps, mut made) = (Vec::new(), Vec::new(), Vec::new());
        let mut answers = Vec::new();
        messages.extend(before.map(Message::user));
        if odd == 0 {
            messages.push(Message::Other(json!({"role": "CANARY"})));
        }
        for (place, (name, plan, way, text, stepped, answer)) in calls.into_iter().enumerate() {
            let id = format!("CANARY-{place}-{}", text.len());
            made.push(RecordCall {
                id: id.clone(),
                name: name.clone(),
                arguments: any_arguments(&plan, way, &text),
                extra: extra(),
            });
            let answer = if way % 2 == 0 { answer } else { json!({"text": answer}).to_string() };
            if stepped {
                let result = match way {
                    4 => Value::Null,
                    3 => json!({"other": 1}),
                    _ => words::result_of(&answer),
                };
                let turn = way as u32;
                steps.push(Step { turn, tool: name.clone(), plan, result, extra: extra() });
            }
            let id = if odd == 1 { "nobody".to_owned() } else { id };
            answers.push(Message::Tool {
                tool_call_id: id, name, content: answer, extra: extra(),
            });
        }
        messages.push(Message::Assistant {
            content, reasoning, stop, tool_calls: made, extra: extra(),
        });
        if odd == 2 {
            messages.splice(0..0, answers);
        } else {
            messages.extend(answers);
        }
        (messages, steps)
    }
}

fn any_end() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        1 => Just(None),
        3 => prop::sample::select(vec!["submitted", "stopped", "turn_limit"])
            .prop_map(|word| Some(word.to_owned())),
        1 => any_text().prop_map(Some),
    ]
}

prop_compose! {
    fn any_record()(
        texts in prop::array::uniform4(any_text()),
        moment in prop::option::of(0..4_000_000_000_000_u64),
        opening in (prop::option::of(any_text()), prop::option::of(any_text())),
        turns in prop::collection::vec(any_turn(), 0..4),
        last in (any::<bool>(), any_plan(), any::<bool>(), 0..3),
        numbers in (any::<f64>(), 0..2_000_000_u32, any::<u64>(), any::<u64>(), any::<u32>()),
        end_reason in any_end(),
        lines in prop::collection::vec(any_text(), 0..3),
    ) -> Record {
        let (system, user) = opening;
        let mut messages: Vec<_> = system.map(Message::system).into_iter().collect();
        messages.extend(user.map(Message::user));
        let mut steps = Vec::new();
        for (said, stepped) in turns {
            messages.extend(said);
            steps.extend(stepped);
        }
        let [model, task_id, episode_id, started] = texts;
        let (odd, millionths, input, output, turns) = numbers;
        let (submitted, plan, newest, graded) = last;
        let newest = steps.last().map(|step: &Step| step.plan.clone()).filter(|_| newest);
        let finite = if odd.is_finite() { odd } else { 0.0 };
        Record {
            model, task_id, episode_id,
            started: moment.map_or(started, |moment| utc_text(Millis(moment))),
            messages, steps,
            last: Final {
                submitted,
                plan: newest.unwrap_or(plan),
                grade: if graded == 0 { Value::Null } else { json!({"reward": 0.5}) },
                rubric: (graded == 2).then(|| json!({"quality": finite})),
                extra: extra(),
            },
            reward: if graded == 1 { finite } else { f64::from(millionths) / 1e6 },
            usage: Usage { input, output, ..Usage::default() },
            usage_extra: extra(),
            turns,
            end_reason,
            errors: lines.clone(),
            seconds: f64::from(millionths % 10_000) / 10.0,
            provider_switches: lines,
            extra: extra(),
        }
    }
}

fn any_choices() -> impl Strategy<Value = Choices> {
    any::<[bool; 5]>().prop_map(|[plans, words, reasoning, outputs, server]| Choices {
        plans,
        words,
        reasoning,
        outputs,
        server,
    })
}

/// A short rollout with one of each.
fn example() -> Record {
    let draft = rows(&[(0, 3, 1, 2), (1, 9, 4, 2)]);
    let call = |id: &str, name: &str| RecordCall {
        id: id.into(),
        name: name.into(),
        arguments: json!({"plan": draft}).to_string(),
        extra: extra(),
    };
    let step = |turn: u32, tool: &str| Step {
        turn,
        tool: tool.into(),
        plan: draft.clone(),
        result: json!({"feasible": true}),
        extra: extra(),
    };
    let said = |content: &str, call: RecordCall| Message::Assistant {
        content: content.into(),
        reasoning: "Because.".into(),
        stop: "tool_use".into(),
        tool_calls: vec![call],
        extra: extra(),
    };
    Record {
        model: "anthropic:some-model".into(),
        task_id: "first".into(),
        episode_id: "0123456789ab".into(),
        started: "2026-02-03T04:05:06Z".into(),
        messages: vec![
            Message::system("Rules."),
            Message::user("Ships."),
            said("A draft.", call("toolu_CANARY1", "check_plan")),
            Message::tool("toolu_CANARY1", "check_plan", "{\"feasible\":true}"),
            said("Done.", call("toolu_CANARY2", "submit_plan")),
            Message::tool("toolu_CANARY2", "submit_plan", "{\"feasible\":true}"),
        ],
        steps: vec![step(1, "check_plan"), step(2, "submit_plan")],
        last: Final {
            submitted: true,
            plan: draft.clone(),
            grade: json!({"reward": 0.75}),
            rubric: Some(json!({"quality": 0.5})),
            extra: extra(),
        },
        reward: 0.75,
        usage: Usage {
            input: 1200,
            output: 340,
            ..Usage::default()
        },
        turns: 2,
        end_reason: Some("submitted".into()),
        errors: vec!["network: models.example.org: did not answer".into()],
        seconds: 12.5,
        provider_switches: vec!["one -> two (500: models.example.org is down)".into()],
        ..Record::default()
    }
}

#[test]
fn each_form_holds_what_its_ticks_say() {
    let (record, task) = (example(), first());
    let ticks = |plans, words, reasoning, outputs| Choices {
        plans,
        words,
        reasoning,
        outputs,
        server: false,
    };
    let open = |choices: Choices, task: Option<&Task>| {
        pack(&outgoing(&record, task), choices)
            .unwrap()
            .opened()
            .unwrap()
    };
    let plans = open(ticks(true, false, false, false), Some(&task));
    assert_eq!((plans.form, plans.record.messages.len()), (Form::Plans, 0));
    assert_eq!(plans.record.plans(), record.plans());
    assert_eq!(plans.record.last.plan, record.last.plan);
    assert!(plans.record.last.grade.is_null() && plans.record.steps[0].result.is_null());
    assert_eq!(
        plans.record.extra["shared"],
        json!({"form": "p", "left_out": [
            "the model's words", "reasoning", "tool outputs", "the situation text",
            "the system prompt",
        ]})
    );

    let words = open(Choices::default(), Some(&task));
    assert_eq!((words.form, words.record.messages.len()), (Form::Words, 2));
    let Message::Assistant {
        content,
        reasoning,
        tool_calls,
        ..
    } = &words.record.messages[0]
    else {
        panic!("not a turn");
    };
    assert_eq!((content.as_str(), reasoning.as_str()), ("A draft.", ""));
    assert_eq!(
        tool_calls[0].arguments,
        json!({"plan": record.steps[0].plan}).to_string()
    );

    let stranger = open(ticks(true, false, false, false), None);
    assert_eq!(stranger.record.messages, [Message::user("Ships.")]);
    assert_eq!(stranger.record.last.grade, json!({"reward": 0.75}));

    let full = open(ticks(true, true, true, true), None);
    assert_eq!(full.form, Form::Full);
    assert_eq!(full.record.messages[0], Message::system("Rules."));
    assert_eq!(full.record.errors, ["network"]);
    assert_eq!(full.record.provider_switches, ["one -> two"]);
    assert_eq!(full.record.steps[1].result, json!({"feasible": true}));

    let no_plans = open(ticks(false, true, false, false), Some(&task));
    let Message::Assistant { tool_calls, .. } = &no_plans.record.messages[0] else {
        panic!("not a turn");
    };
    assert_eq!(
        (
            tool_calls[0].arguments.as_str(),
            no_plans.record.steps.len()
        ),
        ("", 0)
    );
}

#[test]
fn without_the_words_nothing_of_the_arguments_travels_but_the_plan() {
    let mut record = example();
    let plan = record.steps[0].plan.clone();
    let Message::Assistant { tool_calls, .. } = &mut record.messages[2] else {
        panic!("not a turn");
    };
    tool_calls[0].arguments = json!({"note": "CANARY", "plan": plan}).to_string();
    let look = RecordCall {
        name: "look_up".into(),
        arguments: "{\"of\": \"CANARY\"}".into(),
        ..RecordCall::default()
    };
    tool_calls.push(look);
    let choices = Choices {
        words: false,
        reasoning: true,
        outputs: true,
        ..Choices::default()
    };
    let parcel = pack(&outgoing(&record, None), choices).unwrap();
    assert!(!String::from_utf8_lossy(&parcel.bytes).contains("CANARY"));
    let opened = parcel.opened().unwrap();
    let Message::Assistant { tool_calls, .. } = &opened.record.messages[2] else {
        panic!("not a turn");
    };
    let sent: Vec<_> = tool_calls
        .iter()
        .map(|call| call.arguments.clone())
        .collect();
    assert_eq!(sent, [json!({"plan": plan}).to_string(), String::new()]);
    assert_eq!(opened.record.steps[1].result, record.steps[1].result);
}

#[test]
fn the_claims_are_the_senders_and_the_address_goes_by_tick_as_origin_only() {
    let record = example();
    let opened = pack(&outgoing(&record, None), EVERYTHING)
        .unwrap()
        .opened()
        .unwrap();
    let server = Some("https://play.example.org:8443".to_owned());
    assert_eq!(opened.claims.server, server);
    assert_eq!(opened.claims.model, "anthropic:some-model");
    assert_eq!(opened.claims.started, record.started);
    assert_eq!((opened.claims.turns, opened.claims.input_tokens), (2, 1200));
    assert_eq!(opened.record.errors, record.errors);
    let builtin = Outgoing {
        server: "builtin",
        ..outgoing(&record, None)
    };
    assert_eq!(builtin.origin(), None);
    assert!(!Held::of(EVERYTHING, &builtin).server);
}

#[test]
fn an_address_with_more_in_it_than_its_origin_is_damage() {
    let record = Record::default();
    let parcel = pack(&outgoing(&record, None), EVERYTHING).unwrap();
    let origin = b"https://play.example.org:8443";
    let at = parcel
        .bytes
        .windows(origin.len())
        .position(|part| part == origin);
    let mut bytes = parcel.bytes.clone();
    bytes.splice(
        at.unwrap()..at.unwrap() + origin.len(),
        *b"https://play.example.org/?k=1",
    );
    assert_eq!(
        open(parcel.form, &bytes, &check(&bytes)),
        Err(LinkError::Damaged)
    );
}

#[test]
fn a_link_knows_its_task_by_more_than_its_name() {
    let (record, task) = (example(), first());
    let opened = pack(&outgoing(&record, Some(&task)), Choices::default()).unwrap();
    let opened = opened.opened().unwrap();
    assert!(opened.is_of(&task));
    let mut later = task.clone();
    later.ships[0].due += 1;
    assert!(!opened.is_of(&later));
    let other = Task {
        task_id: "second".into(),
        ..task
    };
    assert!(!opened.is_of(&other));
}

#[test]
fn fields_that_nobody_listed_never_leave() {
    let record = Record {
        extra: extra(),
        usage_extra: extra(),
        ..example()
    };
    for choices in [EVERYTHING, Choices::default()] {
        let parcel = pack(&outgoing(&record, None), choices).unwrap();
        let text = String::from_utf8_lossy(&parcel.bytes).into_owned();
        assert!(!text.contains("CANARY") && !text.contains("pw@"), "{text}");
    }
}

#[test]
fn the_form_in_front_and_the_content_must_agree() {
    let record = example();
    let parcel = pack(&outgoing(&record, None), EVERYTHING).unwrap();
    for form in [Form::Plans, Form::Words] {
        assert_eq!(
            open(form, &parcel.bytes, &parcel.check()),
            Err(LinkError::Damaged)
        );
    }
}

#[test]
fn content_that_promises_more_than_it_has_is_refused_at_once() {
    // Plans of the first step: 2^60 rows.
    let mut out = Writer::new();
    out.number(1);
    out.number(1);
    for text in ["m", "t"] {
        out.text(text);
    }
    for number in [1, 0, 0, 0, 0, 1] {
        out.number(number);
    }
    let header = out.bytes.clone();
    for tail in [
        // A number of steps.
        vec![1 << 60],
        // One step; its tool; its turn; rows; their number.
        vec![1, 2, 2, 2, 1 << 60],
        vec![1, 2, 2, 0, u64::MAX],
        // No steps, no plan, then more.
        vec![0, 0, 0],
    ] {
        let mut out = Writer::new();
        out.bytes.clone_from(&header);
        for number in tail {
            out.number(number);
        }
        assert_eq!(
            open(Form::Plans, &out.bytes, &check(&out.bytes)),
            Err(LinkError::Damaged)
        );
    }
    out.number(0);
    out.number(0);
    assert!(open(Form::Plans, &out.bytes, &check(&out.bytes)).is_ok());
}

#[test]
fn json_inside_a_link_is_read_as_strictly_as_any_other() {
    let content = |json: &str| {
        let mut out = Writer::new();
        out.number(0);
        out.number(1);
        out.text("m");
        out.text("t");
        for number in [1, 0, 0, 0, 0, 1, 8] {
            out.number(number);
        }
        out.text(json);
        out.bytes
    };
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for json in [
        deep.as_str(),
        "[1e309]",
        "\"\\ud800\"",
        "\0",
        "",
        "nope",
        "{\"a\":1",
    ] {
        let bytes = content(json);
        assert_eq!(
            open(Form::Plans, &bytes, &check(&bytes)),
            Err(LinkError::Damaged)
        );
    }
    let wide = format!("[{}0]", "0,".repeat(300_000));
    let bytes = content(&wide);
    assert_eq!(
        open(Form::Plans, &bytes, &check(&bytes)),
        Err(LinkError::TooManyParts)
    );
    for json in ["{\"reward\": \"much\"}", "[null]", "\"\\u0000\"", "-0.0"] {
        let bytes = content(json);
        assert!(open(Form::Plans, &bytes, &check(&bytes)).is_ok(), "{json}");
    }
}

#[test]
fn what_a_link_holds_is_never_too_deep_for_a_file() {
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    for depth in 110..=127 {
        let mut record = example();
        let value: Value = serde_json::from_str(&deep(depth)).unwrap();
        record.last.grade = value.clone();
        record.last.rubric = Some(value.clone());
        for step in &mut record.steps {
            step.plan = value.clone();
            step.result = value.clone();
        }
        for message in &mut record.messages {
            if let Message::Tool { content, .. } = message {
                *content = deep(depth);
            }
        }
        let parcel = pack(&outgoing(&record, None), EVERYTHING).unwrap();
        let opened = parcel.opened().unwrap();
        let text = opened.record.to_json_string();
        assert_eq!(Record::from_text(&text), Ok(opened.record), "{depth}");
    }
    // A grade that another program wrote.
    let graded = |grade: &str| {
        let mut writer = Writer::new();
        writer.bytes.extend([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8]);
        writer.text(grade);
        open(Form::Plans, &writer.bytes, &check(&writer.bytes))
    };
    assert!(graded(&deep(117)).is_ok());
    assert_eq!(graded(&deep(118)), Err(LinkError::Damaged));
}

#[test]
fn an_end_without_a_word_is_none() {
    let record = Record {
        end_reason: Some(String::new()),
        ..example()
    };
    let opened = pack(&outgoing(&record, None), EVERYTHING).unwrap().opened();
    assert_eq!(opened.unwrap().record.end_reason, None);
}

#[test]
fn a_rollout_beyond_all_measure_is_told_to_use_a_file() {
    let long = Record {
        messages: vec![Message::assistant(&crate::chat::Turn::default()); 260_000],
        ..Record::default()
    };
    let choices = Choices::default();
    assert_eq!(
        pack(&outgoing(&long, None), choices),
        Err(LinkError::TooManyParts)
    );
    let wide = format!("[{}", "0,".repeat(300_000));
    let mut call = example();
    if let Message::Assistant { tool_calls, .. } = &mut call.messages[2] {
        tool_calls[0].arguments.clone_from(&wide);
    }
    let mut plan = example();
    plan.steps[0].plan = wide.as_str().into();
    let mut answer = example();
    answer.messages[3] = Message::tool("c1", "t", wide);
    for record in [call, plan, answer] {
        let packed = pack(&outgoing(&record, None), EVERYTHING);
        assert_eq!(packed, Err(LinkError::TooManyParts));
    }
    let large = Record {
        messages: vec![Message::user("x".repeat(MOST_INFLATED))],
        ..Record::default()
    };
    assert_eq!(
        pack(&outgoing(&large, None), choices),
        Err(LinkError::TooLarge)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_survives_a_link_that_holds_everything(record in any_record()) {
        let parcel = pack(&outgoing(&record, None), EVERYTHING).unwrap();
        let opened = read(&plain(&parcel)).unwrap();
        let mut expected = essence(&record);
        expected.extra = opened.record.extra.clone();
        prop_assert_eq!(opened.record, expected);
    }

    #[test]
    fn a_link_made_from_a_link_is_the_same_link(
        record in any_record(), choices in any_choices(), known in any::<bool>(),
    ) {
        let task = first();
        let task = known.then_some(&task);
        let once = pack(&outgoing(&record, task), choices).unwrap();
        let opened = once.opened().unwrap();
        let again = pack(&outgoing(&opened.record, task), choices).unwrap();
        prop_assert_eq!(again.opened().unwrap(), opened);
        let held = Held::of(choices, &outgoing(&record, task));
        let text = String::from_utf8_lossy(&once.bytes).into_owned();
        prop_assert!(!text.contains("CANARY"));
        prop_assert_eq!(once.form, held.form());
    }

    #[test]
    fn a_changed_or_cut_link_is_an_error(
        record in any_record(), choices in any_choices(),
        at in any::<prop::sample::Index>(), sign in "[A-Za-z0-9_.-]",
    ) {
        let parcel = pack(&outgoing(&record, None), choices).unwrap();
        let code = plain(&parcel);
        let at = at.index(code.len());
        let cut = parse(&code[..at]);
        let is_cut = matches!(cut, Err(LinkError::Cut { .. } | LinkError::NotALink));
        prop_assert!(is_cut, "{cut:?}");
        let mut changed = code.clone();
        changed.replace_range(at..=at, &sign);
        if changed != code {
            prop_assert!(read(&changed).is_err());
        }
    }

    #[test]
    fn content_of_any_kind_is_opened_or_refused(
        record in any_record(), choices in any_choices(), known in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 0..5),
    ) {
        let task = first();
        let parcel = pack(&outgoing(&record, known.then_some(&task)), choices).unwrap();
        let mut bytes = parcel.bytes.clone();
        for (at, byte, how) in changes {
            let at = at.index(bytes.len().max(1));
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.insert(at.min(bytes.len()), byte),
                _ => bytes.truncate(at),
            }
        }
        if let Ok(opened) = open(parcel.form, &bytes, &check(&bytes)) {
            let again = pack(&outgoing(&opened.record, None), choices);
            prop_assert!(again.is_ok());
            let filled = replay(&opened.record, &task);
            prop_assert_eq!(filled.record.steps.len(), opened.record.steps.len());
            secrets_in(&opened.record, &|_, _| {});
        }
    }

    #[test]
    fn any_bytes_are_opened_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        for form in [Form::Plans, Form::Words, Form::Full] {
            let _ = open(form, &bytes, &check(&bytes));
        }
    }
}
