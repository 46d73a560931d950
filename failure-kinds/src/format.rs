use std::path::Path;

use crate::closed::word;

macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $(#[$feature:meta])? $variant:ident $extensions:expr;)+) => {
        /// The format of a configuration file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ConfigFormat {
            $($(#[doc = $doc])+ $(#[$feature])? $variant,)+
        }

        impl ConfigFormat {
            /// Every format that the enabled features read.
            pub const ALL: &[Self] = &[$($(#[$feature])? Self::$variant),+];

            /// The extensions of a file in this format, in lower case.
            #[must_use]
            pub const fn extensions(self) -> &'static [&'static str] {
                match self { $($(#[$feature])? Self::$variant => &$extensions,)+ }
            }
        }
    };
}

formats! {
    /// JSON.
    Json ["json"];
    /// TOML.
    #[cfg(feature = "toml")]
    Toml ["toml"];
    /// YAML 1.2.
    #[cfg(feature = "yaml")]
    Yaml ["yaml", "yml"];
}

word!(ConfigFormat);

impl ConfigFormat {
    /// The name: `json`, `toml` or `yaml`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.extensions()[0]
    }

    /// The format of a file with this extension, in upper or lower case.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().copied().find(|format| format.extensions().contains(&&*extension))
    }
}
