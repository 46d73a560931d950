//! The content security policy of HTML reports: it names the style and the script by their hashes.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use crate::Result;
use crate::repository::read;

pub(crate) fn text() -> Result<String> {
    let source = |file| -> Result<String> {
        let text = read(&format!("failure-kinds-cli/src/html/{file}"))?;
        Ok(format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text))))
    };
    let (style, script) = (source("page.css")?, source("page.js")?);
    Ok(format!(
        "default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; \
         form-action 'none'\n"
    ))
}
