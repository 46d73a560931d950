use failure_kinds::{quota_reset_text, quota_reset_unix};

const KIND: &str = "provider_quota_exhausted";

#[test]
fn c109_the_canonical_text_is_read() {
    let reason = "daily sandbox quota used up (resets at 2026-03-01 09:30 UTC)";
    assert_eq!(quota_reset_text(KIND, reason), Some("2026-03-01 09:30"));
    assert_eq!(quota_reset_unix(KIND, reason), Some(1_772_357_400));
}

#[test]
fn c108_another_kind_has_no_reset() {
    let reason = "upstream said: resets at 2026-03-01 09:30 UTC";
    for kind in ["judge_failed", "provider_unavailable", "", "provider_quota_exhausted "] {
        assert_eq!(quota_reset_text(kind, reason), None, "{kind:?}");
    }
}

#[test]
fn c99_c193_the_kind_decides_whether_a_time_is_a_reset() {
    let reason = "resets at 2026-09-02 00:00 UTC";
    assert_eq!(quota_reset_text("provider_unavailable", reason), None);
    assert_eq!(quota_reset_text(KIND, reason), Some("2026-09-02 00:00"));
}

#[test]
fn c111_near_misses_of_the_shape_do_not_match() {
    for reason in [
        "resets at 2026-03-01 09:30 UTC+8",
        "resets at 2026-03-01 09:30 UTC-5",
        "resets at 2026-03-01 09:30 GMT",
        "resets at 2026-03-01 09:30:15 UTC",
        "resets at 2026-03-01 09:30 utc",
        "resets at 2026-03-01T09:30 UTC",
        "resets at 2026/03/01 09:30 UTC",
        "resets at 2026-3-1 09:30 UTC",
        "resets at 2026-03-01 09:30",
        "resets at 2026-03-01 09:30 UTCx",
        "Resets at 2026-03-01 09:30 UTC",
        "resets at  2026-03-01 09:30 UTC",
        "resets at ",
        "quota used up",
        "",
    ] {
        assert_eq!(quota_reset_text(KIND, reason), None, "{reason:?}");
    }
    for reason in ["resets at 2026-03-01 09:30 UTC.", "resets at 2026-03-01 09:30 UTC: wait"] {
        assert_eq!(quota_reset_text(KIND, reason), Some("2026-03-01 09:30"), "{reason:?}");
    }
}

#[test]
fn c112_digits_are_ascii() {
    assert_eq!(
        quota_reset_text(
            KIND,
            "resets at \u{662}\u{660}\u{662}\u{666}-\u{660}\u{663}-\u{660}\u{661} \u{660}\u{669}:\u{663}\u{660} UTC"
        ),
        None
    );
    // The sixteen bytes end inside a character.
    assert_eq!(quota_reset_text(KIND, "resets at 2026-03-01 09:3\u{660} UTC"), None);
}

#[test]
fn a_time_that_does_not_exist_is_skipped() {
    for time in [
        "2026-02-30 00:00",
        "2026-02-29 00:00",
        "2026-13-01 00:00",
        "2026-00-01 00:00",
        "2026-01-00 00:00",
        "2026-04-31 00:00",
        "2026-01-01 24:00",
        "2026-01-01 00:60",
        "0000-01-01 00:00",
        "1900-02-29 00:00",
    ] {
        let reason = format!("resets at {time} UTC");
        assert_eq!(quota_reset_text(KIND, &reason), None, "{time}");
        let reason = format!("resets at {time} UTC, resets at 2028-02-29 23:59 UTC");
        assert_eq!(quota_reset_text(KIND, &reason), Some("2028-02-29 23:59"), "{time}");
    }
}

#[test]
fn unix_times_are_those_of_the_calendar() {
    for (time, unix) in [
        ("1970-01-01 00:00", 0),
        ("1969-12-31 23:59", -60),
        ("2000-02-29 12:00", 951_825_600),
        ("0001-01-01 00:00", -62_135_596_800),
        ("9999-12-31 23:59", 253_402_300_740),
        ("2026-10-12 05:00", 1_791_781_200),
    ] {
        let reason = format!("resets at {time} UTC");
        assert_eq!(quota_reset_unix(KIND, &reason), Some(unix), "{time}");
    }
}

#[test]
fn c192_a_past_time_is_returned_as_it_is() {
    assert_eq!(quota_reset_text(KIND, "resets at 2026-08-01 00:00 UTC"), Some("2026-08-01 00:00"));
}

#[test]
fn c192_without_a_time_there_is_no_reset() {
    assert_eq!(quota_reset_text(KIND, "quota used up"), None);
}
