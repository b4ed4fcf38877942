//! The page of an evaluation: where it may be written, and that its name says what it is.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use indistinct::evaluate::{EvaluateParams, Evaluation, Tables};
use indistinct_io::evaluate::evaluation_failure;
use indistinct_io::{Failure, check_page, write_atomically};

use crate::page::{EvaluationPage, EvaluationPageError, evaluation_page};

/// The word that must be in the page's name: a file that is passed on should say what it is before it is opened.
const WORD: &str = "private";

/// The path of a page for the name that was typed: found out before the work is done. A name without `private` in it
/// gets it.
///
/// # Errors
/// When no file can have that name, or one has and `force` does not say to replace it.
pub fn page_path(typed: &Path, force: bool) -> Result<PathBuf, Failure> {
    let Some(path) = named(typed) else {
        return Err(
            Failure::usage("--html is not the name of a file").advise("as in --html look.private.html")
        );
    };
    check_page(&path, force)?;
    Ok(path)
}

/// The name with `private` in it: as it was typed, or before its ending.
fn named(typed: &Path) -> Option<PathBuf> {
    let name = typed.file_name()?;
    if name.to_string_lossy().to_lowercase().contains(WORD) {
        return Some(typed.to_owned());
    }
    let is_page =
        |ending: &std::ffi::OsStr| ["html", "htm"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    let (mut stem, ending): (OsString, OsString) = match (typed.file_stem(), typed.extension()) {
        (Some(stem), Some(ending)) if is_page(ending) => (stem.to_owned(), ending.to_owned()),
        _ => (name.to_owned(), "html".into()),
    };
    stem.push(format!(".{WORD}."));
    stem.push(ending);
    Some(typed.with_file_name(stem))
}

/// Writes the page of an evaluation.
///
/// # Errors
/// When it cannot be drawn or written.
pub fn write_page(
    path: &Path,
    tables: &Tables,
    evaluation: &Evaluation,
    params: &EvaluateParams,
) -> Result<(), Failure> {
    let Tables { real, synthetic, .. } = tables;
    let page = evaluation_page(EvaluationPage { real, synthetic, evaluation, params });
    let page = page.map_err(|error| match error {
        EvaluationPageError::Evaluation(error) => evaluation_failure(&error),
        EvaluationPageError::Page(error) => Failure::failed(error),
    })?;
    write_atomically(path, |out| out.write_all(page.as_bytes())).map_err(|error: io::Error| {
        Failure::failed(format!("{}: cannot be written: {error}", path.display()))
            .advise("check that the folder exists, that you may write there, and the free space")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_that_it_is_private() {
        for (typed, expected) in [
            ("look.html", "look.private.html"),
            ("a.b/look.HTM", "a.b/look.private.HTM"),
            ("look", "look.private.html"),
            ("look.v2", "look.v2.private.html"),
            ("my-Private-look.html", "my-Private-look.html"),
            ("private/look.html", "private/look.private.html"),
            (".html", ".html.private.html"),
        ] {
            assert_eq!(named(Path::new(typed)).as_deref(), Some(Path::new(expected)), "{typed}");
        }
        assert_eq!(named(Path::new("..")), None);
    }
}
