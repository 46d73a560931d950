//! Classifications that ship beside the default, as files.

use super::FailureClassificationOverrides;
use crate::closed::closed_set;

macro_rules! shipped {
    ($($(#[doc = $summary:literal])+ $variant:ident = $name:literal)+) => {
        /// A classification that ships beside the default, as overrides of it.
        ///
        /// ```
        /// use failure_kinds::{Evidence, FailureClass, FailureClassificationConfig, ShippedConfig};
        ///
        /// let overrides = ShippedConfig::NemoRl.overrides();
        /// let config = FailureClassificationConfig::default().with_overrides(overrides)?;
        /// let missing = Evidence::new().kind("agent_run_error").http_status(&404);
        /// assert_eq!(config.classify(&missing).class, FailureClass::Model);
        /// # Ok::<(), failure_kinds::ConfigError>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ShippedConfig { $($(#[doc = $summary])+ $variant,)+ }

        impl ShippedConfig {
            /// Every shipped configuration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name, such as `nemo-rl`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What it is, in one sentence.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => concat!($($summary),+).trim_ascii(),)+ }
            }

            /// The file, in TOML with comments.
            #[must_use]
            pub const fn toml(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("shipped/", $name, ".toml")),)+ }
            }
        }
    };
}

shipped! {
    /// The split that NeMo RL applies to rows: by HTTP status alone, whatever the stage.
    NemoRl = "nemo-rl"
}

impl ShippedConfig {
    /// Its differences from the default.
    ///
    /// # Panics
    ///
    /// Never: a test reads every file.
    #[must_use]
    pub fn overrides(self) -> FailureClassificationOverrides {
        FailureClassificationOverrides::from_toml_str(self.toml()).expect("a test reads every file")
    }
}

closed_set!(ShippedConfig, ShippedConfigError, "a shipped configuration", "shipped configurations");
