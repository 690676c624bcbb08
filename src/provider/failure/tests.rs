//! The shapes of errors, and their sentences.

use super::*;
use serde_json::json;

fn answered(status: u16, headers: &[(&str, &str)], body: &str) -> Failure {
    let headers = headers.iter().map(|(n, v)| ((*n).into(), (*v).into()));
    Failure::of_answer(
        status,
        &Headers(headers.collect()),
        body.as_bytes(),
        Millis(0),
    )
}

fn message(body: &str) -> String {
    answered(400, &[], body).message
}

#[test]
fn a_message_is_found_in_every_shape() {
    for (body, expected) in [
        (
            r#"{"error": {"message": "no tram", "type": "x"}}"#,
            "no tram",
        ),
        (r#"{"error": "no tram"}"#, "no tram"),
        (
            r#"{"object": "error", "message": "no tram", "code": 400}"#,
            "no tram",
        ),
        (r#"{"detail": "no tram"}"#, "no tram"),
        (
            r#"{"detail": [{"loc": ["body", "x"], "msg": "field required"}, {"msg": "too long"}]}"#,
            "field required; too long",
        ),
        (r#"{"detail": {"error": "no tram"}}"#, "no tram"),
        (r#"{"detail": {"code": 1}}"#, r#"{"code":1}"#),
        (r#"[{"error": {"message": "no tram"}}]"#, "no tram"),
        (r#"{"message": "no tram"}"#, "no tram"),
        (
            r#"{"error": {"message": "Provider returned error", "metadata": {"raw": "no tram"}}}"#,
            "Provider returned error: no tram",
        ),
        ("no\n  tram", "no tram"),
        (r#"{"tram": 7}"#, r#"{"tram": 7}"#),
        (
            "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
            "502 Bad Gateway nginx",
        ),
        ("", "no more than that"),
    ] {
        assert_eq!(message(body), expected, "{body}");
    }
    assert_eq!(message(&"tram ".repeat(1000)).chars().count(), 300);
}

#[test]
fn a_code_is_a_text_and_the_stable_one_wins() {
    let body = r#"{"error": {"type": "rate_limit_error", "message": "m", "code": 7,
        "details": {"error_code": "ramp_limit_exceeded"}}}"#;
    let failure = answered(429, &[], body);
    assert_eq!(failure.code.as_deref(), Some("ramp_limit_exceeded"));
    assert_eq!(
        (failure.class, failure.asks_again()),
        (Class::RateLimit, true)
    );
    let failure = answered(429, &[], r#"{"error": {"message": "m", "code": 429}}"#);
    assert_eq!(failure.code.as_deref(), Some("429"));
}

#[test]
fn a_cap_on_spending_is_not_asked_again_whatever_the_headers_say() {
    for code in [
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
    ] {
        let body = json!({"error": {"type": "rate_limit_error", "message": "m",
            "details": {"error_code": code}}});
        let failure = answered(429, &[("x-should-retry", "true")], &body.to_string());
        assert_eq!((failure.class, failure.asks_again()), (Class::Quota, false));
    }
    let body = r#"{"error": {"message": "m", "type": "insufficient_quota", "code": "insufficient_quota"}}"#;
    assert_eq!(answered(429, &[], body).class, Class::Quota);
}

#[test]
fn statuses_and_headers_decide_whether_to_ask_again() {
    for (status, again) in [
        (408, true),
        (409, true),
        (429, true),
        (500, true),
        (529, true),
    ] {
        assert_eq!(answered(status, &[], "").asks_again(), again, "{status}");
    }
    for status in [400, 401, 402, 403, 404, 413, 422] {
        assert!(!answered(status, &[], "").asks_again(), "{status}");
        assert!(answered(status, &[("x-should-retry", "true")], "").asks_again());
    }
    assert!(!answered(500, &[("X-Should-Retry", "false")], "").asks_again());
    assert!(answered(429, &[("retry-after", "120")], "").asks_again());
    let failure = answered(429, &[("retry-after", "121")], "");
    assert!(failure.retryable && !failure.asks_again());
    assert_eq!(failure.retry_after, Some(Millis(121_000)));
}

#[test]
fn statuses_have_classes() {
    for (status, class) in [
        (400, Class::BadRequest),
        (401, Class::Auth),
        (402, Class::Payment),
        (403, Class::Permission),
        (404, Class::NotFound),
        (413, Class::TooLarge),
        (418, Class::BadRequest),
        (422, Class::BadRequest),
        (429, Class::RateLimit),
        (500, Class::Server),
        (503, Class::Server),
        (524, Class::Server),
        (529, Class::Overloaded),
    ] {
        assert_eq!(answered(status, &[], "<p>").class, class, "{status}");
    }
    let overloaded = r#"{"error": {"message": "m", "type": "overloaded_error"}}"#;
    assert_eq!(answered(503, &[], overloaded).class, Class::Overloaded);
}

#[test]
fn an_error_inside_an_answer_is_told_from_a_piece_of_a_turn() {
    for value in [
        json!({"choices": [], "error": null}),
        json!({"type": "ping"}),
        json!({"object": "chat.completion.chunk", "choices": [], "detail": "x"}),
        json!(7),
    ] {
        assert_eq!(Failure::reported(&value), None, "{value}");
    }
    let class = |value: Value| Failure::reported(&value).unwrap().class;
    assert_eq!(class(json!({"error": "boom"})), Class::Stream);
    assert_eq!(
        class(json!({"error": {"message": "m", "code": 502}})),
        Class::Stream
    );
    assert_eq!(
        class(json!({"error": {"message": "m", "code": 429}})),
        Class::RateLimit
    );
    assert_eq!(
        class(json!({"object": "error", "message": "m", "type": "BadRequestError", "code": 400})),
        Class::BadRequest
    );
    assert_eq!(
        class(json!({"type": "error", "code": "server_error", "message": "m"})),
        Class::Server
    );
    let none = Failure::in_stream(&json!({"tram": 7}));
    assert_eq!((none.class, none.status), (Class::BadStream, 200));
    assert!(none.message.contains("tram"));
}

fn words(failure: &Failure, service: &str, host: &str) -> String {
    failure.words(Service::find(service).unwrap(), host)
}

#[test]
fn words_name_the_party_the_fact_and_the_next_step() {
    let refused = answered(401, &[], r#"{"error": {"message": "invalid x-api-key"}}"#);
    let said = words(&refused, "anthropic", "api.anthropic.com");
    assert!(said.starts_with(
        "api.anthropic.com answered 401: invalid x-api-key. Check its key under Models."
    ));
    // The other thing that a 401 can be there.
    assert!(said.contains("An organization can forbid calls"), "{said}");
    let inside = Failure::told(&json!({"message": "Overloaded!", "type": "overloaded_error"}));
    assert_eq!(
        words(&inside, "anthropic", "api.anthropic.com"),
        "api.anthropic.com reported an error in its answer: Overloaded! The fault is on that side. \
         Run again later, or choose another model."
    );
    assert_eq!(
        words(&Failure::truncated(), "openai", "api.openai.com"),
        "api.openai.com: the answer ended before the turn was complete. Run again."
    );
}

#[test]
fn what_cannot_be_reached_gets_the_list_of_what_it_can_be() {
    let away = Failure::of_fetch(&FetchFailure::Unreachable, 0);
    let said = words(&away, "ollama", "localhost:11434");
    for part in [
        "localhost:11434",
        "running",
        "local network",
        "https",
        "OLLAMA_ORIGINS",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = words(&away, "compatible", "models.example.org");
    for part in [
        "models.example.org",
        "connection",
        "Models",
        "CORS",
        "Authorization",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("local network"));
    let broken = Failure::of_fetch(&FetchFailure::Broken, 200);
    assert!(words(&broken, "openai", "api.openai.com").contains("broke before"));
}

#[test]
fn a_missing_key_is_not_the_services_fault() {
    let none = Failure::of_fetch(&FetchFailure::NoKey, 0);
    assert_eq!((none.class, none.retryable), (Class::Key, false));
    let said = words(&none, "openai", "api.openai.com");
    assert!(said.starts_with("Nothing was sent to OpenAI: no key is held for it. Enter its key"));
    let elsewhere = FetchFailure::KeyElsewhere("https://api.openai.com".into());
    let said = words(&Failure::of_fetch(&elsewhere, 0), "openai", "proxy.example");
    assert!(said.contains("for https://api.openai.com only") && said.contains("Models"));
}

#[test]
fn a_key_that_a_service_repeats_is_not_repeated_again() {
    for text in [
        "Incorrect API key provided: sk-proj-0123456789abcdef.",
        "got 'Bearer 0123456789abcdef', which",
        "token=hf_0123456789abcdef is expired",
    ] {
        let body = json!({"error": {"message": text}}).to_string();
        let failure = answered(401, &[], &body);
        assert!(
            !failure.message.contains("0123456789"),
            "{}",
            failure.message
        );
        assert!(!answered(401, &[], text).message.contains("0123456789"));
    }
    assert_eq!(
        message("a task-based risk-free sk-1 bearer of news"),
        "a task-based risk-free sk-1 bearer of news"
    );
}

#[test]
fn a_refused_key_is_not_explained_with_a_switch_for_other_troubles() {
    let refused = answered(401, &[], r#"{"error": "Unauthorized"}"#);
    let words = |word| refused.words(Service::find(word).unwrap(), "a.example");
    assert!(words("anthropic").contains("An organization can forbid"));
    assert!(!words("vllm").contains("--allowed-origins"));
}
