//! What providers write when a quota is spent. None of it is the canonical text, so none of it
//! names a reset: a zone would have to be guessed, or a year, or what a number counts.

use failure_kinds::{quota_reset_text, quota_reset_unix};

macro_rules! name_no_reset {
    ($($case:ident: $($text:literal),+;)+) => {$(
        #[test]
        fn $case() {
            for text in [$($text),+] {
                assert_eq!(quota_reset_text("provider_quota_exhausted", text), None, "{text}");
                assert_eq!(quota_reset_unix("provider_quota_exhausted", text), None, "{text}");
            }
        }
    )+};
}

name_no_reset! {
    c34_zero_stands_for_an_unknown_time:
        r#"scoring quota exhausted (retry_after=86400s, reset_unix=0); body='{"error":"daily limit"}'"#;
    c40_a_spent_account: "429 You exceeded your current quota, please check your plan and billing details.";
    c43_durations_with_units:
        "Please try again in 6m0s.",
        "Try again in 20m",
        "Try again in 1m30s",
        "Try again in 1h2m3s",
        "Try again in 500ms";
    c44_a_duration_before_an_encoded_question_mark:
        "tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. Please try again in 9m38.016s. Need more tokens%3F";
    c46_nine_decimal_places: "Please try again in 50.597142857s.";
    c47_a_limit_without_its_name:
        "Rate limit reached for model `llama3-70b-8192` in organization `org_EXAMPLE` on : Limit 500000, Used 500370, Requested 252. Please try again in 1m47.5854s.";
    c48_a_request_that_is_too_large:
        "tokens per minute (TPM): Limit 6000, Requested 6294, please reduce your message size and try again.";
    c49_headers_with_durations:
        "retry-after: 2",
        "x-ratelimit-reset-requests: 2m59.56s",
        "x-ratelimit-reset-tokens: 7.66s";
    c51_seconds_until_another_try_of_a_daily_quota:
        "limit: 20\nPlease retry in 58.821668433s. quotaId GenerateRequestsPerDayPerProjectPerModel-FreeTier";
    c53_a_status_word:
        r#"{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}"#;
    c55_midnight_of_another_zone: "Daily Limit Exceeded. The quota will be reset at midnight Pacific Time (PT).";
    c56_a_limit_of_an_organization:
        "Error code: 429 - {'error': {'code': 'rate_limit_error', 'message': 'This request would exceed the rate limit of 20,000 input tokens per minute.', 'type': 'invalid_request_error', 'param': None}}";
    c58_an_overload: r#"Error: 500 {"type":"error","error":{"type":"api_error","message":"Overloaded"}}"#;
    c60_an_hour_and_its_zone_on_two_lines: "Your limit will reset \n     at 3pm (America/Santiago).";
    c61_a_zone_with_an_inverted_sign: "Your limit will reset at 1pm (Etc/GMT+5).";
    c62_an_hour_without_a_zone: "You\u{2019}ve hit your limit. Limits will reset at 9:30 AM.  View your usage details.";
    c63_an_hour_behind_a_middle_dot:
        "You've hit your limit \u{b7} resets 10pm (America/New_York)",
        "You've hit your limit \u{2219} resets 10pm (America/New_York)";
    c64_half_past_midnight: "5-hour limit reached \u{2219} resets 12:30am";
    c65_a_day_without_a_year: "You've hit your limit \u{b7} resets Jan 15, 8am (Europe/Berlin)";
    c66_a_day_of_the_week: "You've hit your weekly limit \u{b7} resets Monday 9am (America/Los_Angeles)";
    c68_an_hour_that_may_be_tomorrow: "resets 2:30am (America/New_York)";
    c69_a_sentence_about_resets: "You've hit your usage limit. Wait for limits to reset (every 5h and every week.).";
    c70_days_and_hours_in_words: "You've hit your usage limit. Try again in 5 days 22 hours 11\nminutes.";
    c71_a_local_date_in_english: "You've hit your usage limit... or try again at Aug 20, 2026, 7:38 AM";
    c72_a_local_date_in_portuguese: "Try again at 10 de jul. de 2026, 11:52.";
    c73_absolute_and_relative_fields:
        r#"{"error":{"type":"usage_limit_reached","resets_at":1777936568,"resets_in_seconds":13872},"status_code":429}"#;
    c74_milliseconds_in_a_nested_header:
        r#"{"error":{"message":"Rate limit exceeded: free-models-per-day.","code":429,"metadata":{"headers":{"X-RateLimit-Reset":"1777420800000"}}}}"#;
    c76_tokens_of_a_day:
        "An error occurred (ThrottlingException) when calling the Converse operation (reached max retries: 4): Too many tokens per day, please wait before trying again.";
    c78_a_date_without_a_zone: "[1310][Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-08-29 21:01:21]";
    c80_a_basic_offset: "limit resets at: 2025-09-11T10:13:01+0000";
    c81_a_timestamp_beside_a_duration:
        r#"{"error":{"message":"\u2026 Resets in 42m.","retry_after":2520,"reset_at":"2026-09-19T16:42:00.000Z"}}"#;
    c82_a_duration_after_the_word_reset:
        "You have exhausted your capacity on this model. Your quota will reset after 18h31m10s.";
    c84_a_cap_on_sandboxes_at_once:
        "429: Rate limit exceeded, please try again later. - you have reached the maximum number of concurrent E2B sandboxes (20).";
    c85_a_cap_on_processors: "Failed to create sandbox: Total CPU limit exceeded. Maximum allowed: 4500.";
    c89_a_cap_on_sessions:
        r#"{"detail": "Too many concurrent active sessions. Please wait for one to finish, kill one, or upgrade your plan."}"#;
    c98_the_reset_of_a_connection:
        "503 upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: delayed connect error: Connection refused";
    c99_a_page_of_a_proxy:
        "litellm.APIError: <html><head>\n<title>502 Server Error</title>\n</head> <p>Please try again in 30 seconds.</h2>";
    c103_a_lifetime_beyond_the_plan: "SandboxError: 400: Timeout cannot be greater than 1 hours";
    c104_a_header_of_epoch_seconds: "Retry-After: 1771404540";
    c105_a_header_with_a_date: "Retry-After: Sat, 25 Jul 2026 12:05:00 GMT";
}
