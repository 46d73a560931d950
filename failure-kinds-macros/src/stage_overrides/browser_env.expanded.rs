#[automatically_derived]
impl ::core::default::Default for BrowserEnv {
    fn default() -> Self {
        Self {
            agent: ::failure_kinds::__private::stage(
                ::core::option::Option::Some(::failure_kinds::FailureClass::Model),
                [
                    (
                        Self::TAB_CRASHED,
                        ::core::option::Option::Some(
                            ::failure_kinds::FailureClass::Evaluation,
                        ),
                    ),
                    (::failure_kinds::kinds::AGENT_TIMEOUT, ::core::option::Option::None),
                ],
            ),
            verification: ::failure_kinds::__private::stage(
                ::core::option::Option::Some(::failure_kinds::FailureClass::Evaluation),
                [],
            ),
        }
    }
}
#[automatically_derived]
impl BrowserEnv {
    ///The extension `browser_env:tab_crashed`.
    pub const TAB_CRASHED: ::failure_kinds::FailureKind = ::failure_kinds::FailureKind::__extension_unchecked(
        "browser_env:tab_crashed",
    );
    ///The extension `browser_env:captcha_wall`.
    pub const CAPTCHA_WALL: ::failure_kinds::FailureKind = ::failure_kinds::FailureKind::__extension_unchecked(
        "browser_env:captcha_wall",
    );
}
#[automatically_derived]
impl ::failure_kinds::StageOverrides for BrowserEnv {
    type Overrides = BrowserEnvOverrides;
    const SERVER: ::core::option::Option<&'static str> = ::core::option::Option::Some(
        "browser_env",
    );
    const STAGES: &'static [::failure_kinds::FailureStage] = &[
        ::failure_kinds::FailureStage::Agent,
        ::failure_kinds::FailureStage::Verification,
    ];
    const KINDS: &'static [::failure_kinds::FailureKind] = &[
        Self::TAB_CRASHED,
        Self::CAPTCHA_WALL,
    ];
    fn __stage(
        &self,
        stage: ::failure_kinds::FailureStage,
    ) -> ::core::option::Option<&::failure_kinds::StageClassificationConfig> {
        match stage {
            ::failure_kinds::FailureStage::Agent => {
                ::core::option::Option::Some(&self.agent)
            }
            ::failure_kinds::FailureStage::Verification => {
                ::core::option::Option::Some(&self.verification)
            }
            _ => ::core::option::Option::None,
        }
    }
    fn __stage_mut(
        &mut self,
        stage: ::failure_kinds::FailureStage,
    ) -> ::core::option::Option<&mut ::failure_kinds::StageClassificationConfig> {
        match stage {
            ::failure_kinds::FailureStage::Agent => {
                ::core::option::Option::Some(&mut self.agent)
            }
            ::failure_kinds::FailureStage::Verification => {
                ::core::option::Option::Some(&mut self.verification)
            }
            _ => ::core::option::Option::None,
        }
    }
}
///Partial [`BrowserEnv`]: what it does not name keeps its value.
#[derive(
    ::core::fmt::Debug,
    ::core::clone::Clone,
    ::core::default::Default,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq,
)]
pub struct BrowserEnvOverrides {
    /// The episode proper.
    pub agent: ::core::option::Option<::failure_kinds::StageClassificationOverrides>,
    ///The stage `verification`.
    pub verification: ::core::option::Option<
        ::failure_kinds::StageClassificationOverrides,
    >,
}
#[automatically_derived]
impl ::failure_kinds::__private::StageSet for BrowserEnvOverrides {
    const STAGES: &'static [::failure_kinds::FailureStage] = &[
        ::failure_kinds::FailureStage::Agent,
        ::failure_kinds::FailureStage::Verification,
    ];
    fn __stage(
        &self,
        stage: ::failure_kinds::FailureStage,
    ) -> ::core::option::Option<&::failure_kinds::StageClassificationOverrides> {
        match stage {
            ::failure_kinds::FailureStage::Agent => self.agent.as_ref(),
            ::failure_kinds::FailureStage::Verification => self.verification.as_ref(),
            _ => ::core::option::Option::None,
        }
    }
    fn __stage_mut(
        &mut self,
        stage: ::failure_kinds::FailureStage,
    ) -> ::core::option::Option<
        &mut ::core::option::Option<::failure_kinds::StageClassificationOverrides>,
    > {
        match stage {
            ::failure_kinds::FailureStage::Agent => {
                ::core::option::Option::Some(&mut self.agent)
            }
            ::failure_kinds::FailureStage::Verification => {
                ::core::option::Option::Some(&mut self.verification)
            }
            _ => ::core::option::Option::None,
        }
    }
}
#[automatically_derived]
impl ::failure_kinds::__private::serde::Serialize for BrowserEnvOverrides {
    fn serialize<__S: ::failure_kinds::__private::serde::Serializer>(
        &self,
        serializer: __S,
    ) -> ::core::result::Result<__S::Ok, __S::Error> {
        ::failure_kinds::__private::serialize_stages(self, serializer)
    }
}
#[automatically_derived]
impl<'de> ::failure_kinds::__private::serde::Deserialize<'de> for BrowserEnvOverrides {
    fn deserialize<__D: ::failure_kinds::__private::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::core::result::Result<Self, __D::Error> {
        ::failure_kinds::__private::deserialize_stages(deserializer)
    }
}
::failure_kinds::__stage_overrides_schema! {
    BrowserEnvOverrides[("agent", "The episode proper."), ("verification", "")]
}
