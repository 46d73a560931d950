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
fn c58_c99_a_status_is_of_its_class_whatever_was_said() {
    for (status, label) in
        [(529, "http_server_error"), (500, "http_server_error"), (502, "http_gateway")]
    {
        assert!(is_server_error_status(&status));
        assert_eq!(HttpEvidence::project(&status).unwrap().as_str(), label);
    }
}

#[test]
fn a_status_projects_to_the_label_of_the_contract() {
    for status in 0..=700_u16 {
        let expected = match status {
            401 | 403 => Some("http_auth"),
            408 | 504 => Some("http_timeout"),
            413 => Some("http_payload_too_large"),
            429 => Some("http_rate_limited"),
            502 | 503 => Some("http_gateway"),
            400..=499 => Some("http_client_error"),
            500..=599 => Some("http_server_error"),
            _ => None,
        };
        assert_eq!(HttpEvidence::project(&status).map(HttpEvidence::as_str), expected, "{status}");
    }
    assert_eq!(HttpEvidence::project(&json!("429")), None);
}
