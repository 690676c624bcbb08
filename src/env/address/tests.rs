use super::*;
use proptest::prelude::*;

fn ws(text: &str) -> String {
    match parse(text) {
        Ok(address) => address.ws_url,
        Err(error) => format!("! {error}"),
    }
}

fn hints(text: &str) -> Vec<Hint> {
    parse(text).unwrap().hints
}

#[test]
fn every_pasted_form_leads_to_one_ws() {
    for (pasted, opened) in [
        ("http://host:8000", "ws://host:8000/ws"),
        ("https://host/prefix/", "wss://host/prefix/ws"),
        ("https://host/a/b", "wss://host/a/b/ws"),
        ("ws://host:8000", "ws://host:8000/ws"),
        ("ws://host:8000/ws", "ws://host:8000/ws"),
        ("ws://host:8000/ws/", "ws://host:8000/ws"),
        ("wss://host/ws/ws", "wss://host/ws"),
        ("wss://host/web/ws", "wss://host/web/ws"),
        ("localhost:8000", "ws://localhost:8000/ws"),
        ("LOCALHOST:8000/", "ws://localhost:8000/ws"),
        ("127.0.0.1:8000", "ws://127.0.0.1:8000/ws"),
        ("192.168.0.9:8000/quay", "ws://192.168.0.9:8000/quay/ws"),
        ("[::1]:8000", "ws://[::1]:8000/ws"),
        ("::1", "ws://[::1]/ws"),
        ("quay.local", "ws://quay.local/ws"),
        ("nas:8000", "ws://nas:8000/ws"),
        ("play.example.org", "wss://play.example.org/ws"),
        ("play.example.org:80", "ws://play.example.org/ws"),
        ("play.example.org/quay", "wss://play.example.org/quay/ws"),
        ("http://host/web", "ws://host/ws"),
        ("http://host/web/", "ws://host/ws"),
        ("http://host/docs", "ws://host/ws"),
        ("http://host/health", "ws://host/ws"),
        ("http://host/p/mcp", "ws://host/p/ws"),
        ("https://host:443/x?y=1#z", "wss://host/x/ws"),
        ("//host:8000", "ws://host:8000/ws"),
        ("HTTP:\\\\host\\a", "ws://host/a/ws"),
        ("http://a/../b/./c", "ws://a/b/c/ws"),
        ("http://0.0.0.0:8000", "ws://localhost:8000/ws"),
        ("http://[::]:8000", "ws://localhost:8000/ws"),
        ("http://127.1:8000", "ws://127.0.0.1:8000/ws"),
        ("http://2130706433/", "ws://127.0.0.1/ws"),
        ("http://host:/", "ws://host/ws"),
        ("myhost/ws", "ws://myhost/ws"),
        ("localhost/quay", "ws://localhost/quay/ws"),
        ("http://bücher.example", "ws://bücher.example/ws"),
        ("<https://host/a>", "wss://host/a/ws"),
        ("`localhost:8000`", "ws://localhost:8000/ws"),
        (
            "INFO: Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C)",
            "ws://localhost:8000/ws",
        ),
        (
            "QuayEnv(base_url=\"http://localhost:8000\")",
            "ws://localhost:8000/ws",
        ),
        ("[the server](https://host/web).", "wss://host/ws"),
    ] {
        assert_eq!(ws(pasted), opened, "{pasted}");
    }
}

#[test]
fn spaces_have_a_host_of_their_own() {
    for pasted in [
        "https://huggingface.co/spaces/OpenEnv/echo_env",
        "https://huggingface.co/spaces/OpenEnv/echo_env/tree/main",
        "https://hf.co/spaces/OpenEnv/echo_env?logs=build#top",
        "huggingface.co/spaces/OpenEnv/echo_env",
        "spaces/OpenEnv/echo_env",
        "https://openenv-echo-env.hf.space/web",
        "http://openenv-echo-env.hf.space",
        "openenv-echo-env.hf.space",
        "wss://openenv-echo-env.hf.space/ws",
    ] {
        let address = parse(pasted).unwrap();
        assert_eq!(
            address.ws_url, "wss://openenv-echo-env.hf.space/ws",
            "{pasted}"
        );
        assert_eq!(address.space.unwrap().subdomain, "openenv-echo-env");
    }
    for pasted in [
        "https://huggingface.co/OpenEnv/model",
        "hf.co",
        "hf.co/spaces/owner",
    ] {
        assert_eq!(parse(pasted), Err(AddressError::NotASpace), "{pasted}");
    }
}

#[test]
fn two_words_and_a_slash_are_a_question_with_its_answer() {
    let Err(AddressError::Ambiguous { suggestion, .. }) = parse("openenv/echo_env") else {
        panic!("no question");
    };
    assert_eq!(suggestion, "https://openenv-echo-env.hf.space");
    assert!(parse(&suggestion).is_ok());
}

#[test]
fn what_cannot_be_an_address_says_what_to_type() {
    for (pasted, error) in [
        ("  ", AddressError::Empty),
        ("ftp://host", AddressError::Scheme("ftp".into())),
        ("http://", AddressError::NoHost),
        ("http:///?", AddressError::NoHost),
        ("http://user@", AddressError::NoHost),
        ("host:99999", AddressError::BadPort("99999".into())),
        ("host:+80", AddressError::BadPort("+80".into())),
        ("http://host:0", AddressError::BadPort("0".into())),
        (
            "http://256.1.1.1",
            AddressError::BadHost("256.1.1.1".into()),
        ),
        (
            "http://[fe80::1%25eth0]",
            AddressError::BadHost("[fe80::1%25eth0]".into()),
        ),
        ("my server", AddressError::BadHost("my server".into())),
        ("http://a..b", AddressError::BadHost("a..b".into())),
    ] {
        assert_eq!(parse(pasted), Err(error), "{pasted}");
    }
    assert_eq!(parse(&"a".repeat(5_000)), Err(AddressError::TooLong));
}

#[test]
fn passwords_and_queries_go_and_it_is_said() {
    let address = parse("wss://me:secret@play.example.org/ws?token=abc").unwrap();
    assert_eq!(address.ws_url, "wss://play.example.org/ws");
    assert_eq!(
        address.hints,
        [Hint::QueryDropped, Hint::CredentialsDropped]
    );
    assert!(!format!("{address:?}").contains("secret"));
    assert!(address.hint().unwrap().contains("password"));
    assert_eq!(hints("http://host/web"), [Hint::EndpointCut]);
    assert_eq!(hints("localhost:8000"), [Hint::AssumedPlain]);
    assert_eq!(hints("http://host/ws"), []);
    assert_eq!(parse("http://host").unwrap().hint(), None);
}

#[test]
fn nearness_is_told_from_the_host() {
    for (host, reach) in [
        ("localhost", Reach::Loopback),
        ("quay.localhost", Reach::Loopback),
        ("127.8.9.1", Reach::Loopback),
        ("[::1]", Reach::Loopback),
        ("[::ffff:127.0.0.1]", Reach::Loopback),
        ("10.1.2.3", Reach::Private),
        ("172.16.0.1", Reach::Private),
        ("172.32.0.1", Reach::Public),
        ("192.168.1.1", Reach::Private),
        ("169.254.1.1", Reach::Private),
        ("100.100.1.1", Reach::Private),
        ("[fc00::1]", Reach::Private),
        ("[fd12::1]", Reach::Private),
        ("[fe80::1]", Reach::Private),
        ("[2001:db8::1]", Reach::Public),
        ("printer.local", Reach::Private),
        ("8.8.8.8", Reach::Public),
        ("play.example.org", Reach::Public),
    ] {
        assert_eq!(
            parse(&format!("http://{host}")).unwrap().reach,
            reach,
            "{host}"
        );
    }
}

#[test]
fn the_border_depends_on_the_page_and_the_target() {
    use Concern::{LocalForbidden, LocalPermission, MixedContent, PlainLoopback};
    let cases: [(bool, bool, &str, &[Concern]); 9] = [
        (true, false, "ws://play.example.org", &[MixedContent]),
        (true, false, "wss://play.example.org", &[]),
        (
            true,
            false,
            "ws://localhost:8000",
            &[PlainLoopback, LocalPermission],
        ),
        (
            true,
            false,
            "ws://192.168.0.2",
            &[MixedContent, LocalPermission],
        ),
        (true, false, "wss://192.168.0.2", &[LocalPermission]),
        (false, false, "ws://localhost:8000", &[LocalForbidden]),
        (false, true, "ws://localhost:8000", &[]),
        (false, true, "ws://play.example.org", &[]),
        (true, true, "ws://localhost:8000", &[PlainLoopback]),
    ];
    for (https, local, text, expected) in cases {
        assert_eq!(
            border(https, local, &parse(text).unwrap()),
            expected,
            "{https} {local} {text}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn what_is_read_reads_the_same_again(
        text in "(https?://|wss?://|//|)([a-z:@]{0,4})[a-zA-Z0-9.\\[\\]:-]{1,12}(/[a-z.%]{0,4}){0,3}([?#].{0,4})?"
    ) {
        if let Ok(first) = parse(&text) {
            prop_assert!(first.ws_url.ends_with("/ws"));
            prop_assert!(!first.http_base.ends_with('/'));
            let again = parse(&first.ws_url).unwrap();
            prop_assert_eq!(&again.ws_url, &first.ws_url);
            prop_assert_eq!(again.reach, first.reach);
            prop_assert_eq!(again.host, first.host);
        }
    }
}
