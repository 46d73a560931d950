use failure_kinds::{FailureClass, FailureStage};

#[test]
fn stages_are_ordered_as_in_an_episode() {
    assert!(FailureStage::ALL.is_sorted());
    for stage in FailureStage::ALL {
        assert_eq!(stage.as_str().parse(), Ok(*stage));
    }
}

#[test]
fn c35_an_alias_of_a_stage_is_rejected_with_all_stages() {
    let message = "verifier".parse::<FailureStage>().unwrap_err().to_string();
    assert!(message.starts_with("`verifier` is not a stage; the stages are `"), "{message}");
    for stage in FailureStage::ALL {
        assert!(message.contains(&format!("`{stage}`")), "{message}");
    }
    for text in ["", "Agent", "agent ", "agent\n"] {
        assert!(text.parse::<FailureStage>().is_err(), "{text:?}");
    }
}

#[test]
fn a_word_that_is_not_a_class_is_rejected_with_the_three_classes() {
    let message = |text: &str| text.parse::<FailureClass>().unwrap_err().to_string();
    assert_eq!(message("Model"), "`Model` is not a class; a similar one is `model`");
    assert_eq!(
        message("nobody"),
        "`nobody` is not a class; the classes are `model`, `evaluation` and `unknown`"
    );
}
