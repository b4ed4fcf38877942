//! The file of a page that is written after long work.

use std::path::Path;

use crate::{Failure, one_line};

/// Checks, before the work, that the page named by `--html` can be a new file, or take the place of an old one.
///
/// # Errors
/// When it exists and is not to be replaced, or cannot be a file.
pub fn check_page(page: &Path, force: bool) -> Result<(), Failure> {
    let fail = |what: &str, advice: &str| {
        Err(Failure::failed(one_line(&format!("{}: {what}", page.display()))).advise(advice))
    };
    if page.is_dir() {
        return fail("is a folder", "name a file for --html, as in --html bars.html");
    }
    if page.exists() && !force {
        return Err(Failure::failed(one_line(&format!("{} exists", page.display())))
            .advise("choose another name for --html, or say --force to replace it"));
    }
    let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return fail("its folder does not exist", "make the folder, or choose another name for --html");
    }
    Ok(())
}
