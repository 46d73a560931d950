use failure_kinds::{HttpEvidence, is_server_error_status};
use serde_json::json;

#[test]
fn only_an_integer_is_a_status() {
    for value in [json!(500), json!(503), json!(599), json!(529)] {
        assert!(is_server_error_status(&value), "{value}");
    }
    for value in [
        json!("503"),
        json!(503.0),
        json!(true),
        json!(null),
        json!(5030),
        json!(-500),
        json!(499),
        json!(600),
        json!(200),
        json!([503]),
        json!({"status": 503}),
        json!(u64::MAX),
    ] {
        assert!(!is_server_error_status(&value), "{value}");
    }
    assert!(is_server_error_status(&Some(503_u16)));
    assert!(is_server_error_status(&Some(json!(503))));
    assert!(!is_server_error_status(&None::<i64>));
    assert!(!is_server_error_status(&i128::MIN));
    assert!(is_server_error_status(&http::StatusCode::BAD_GATEWAY));
}

#[test]
fn c58_c99_a_status_has_the_label_of_its_class() {
    for (status, label) in
        [(529, "http_server_error"), (500, "http_server_error"), (502, "http_gateway")]
    {
        assert!(is_server_error_status(&status));
        assert_eq!(HttpEvidence::project(&status).unwrap().as_str(), label);
    }
}

#[test]
fn a_text_projects_to_no_label() {
    assert_eq!(HttpEvidence::project(&json!("429")), None);
}
