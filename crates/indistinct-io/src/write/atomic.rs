//! Files that appear complete or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::part::part_file;

/// Writes a file under a temporary name in the same folder, syncs it to the disk and renames it to `path`,
/// replacing any file there. On an error, of `fill` or of the system, the temporary file is removed and `path` is
/// untouched. Files left by a killed run are removed by the next one that writes into the folder.
///
/// # Errors
/// Those of `fill` and of the system.
pub fn write_atomically<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
) -> Result<(), E> {
    let file = fill_temporary(path, fill)?;
    file.persist(path).map_err(|error| error.error)?;
    // Lost in a power cut, it would be made again.
    _ = sync_folder(folder_of(path));
    Ok(())
}

/// Writes a file like [`write_atomically`], but never over another: that is an error of the kind `AlreadyExists`.
/// When this returns, the name is on the disk as well, so that a file that others rely on cannot vanish.
pub(crate) fn create_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let file = fill_temporary(path, |out| out.write_all(content))?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(folder_of(path)).inspect_err(|_| _ = std::fs::remove_file(path))
}

/// A synced file beside `path`, which is removed unless it is given a name.
fn fill_temporary<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
) -> Result<NamedTempFile, E> {
    let file = part_file(folder_of(path))?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    fill(&mut out)?;
    out.flush()?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// The folder that contains the last name of a path.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Syncs a folder, which makes new names in it safe. Not every system lets a folder be opened or synced, which is
/// no error.
///
/// # Errors
/// When the disk fails.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let failed: io::Result<()> = write_atomically(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        write_atomically(&path, |out| out.write_all(b"whole")).unwrap();
        let again: io::Result<()> = write_atomically(&path, |_| Err(io::Error::other("no more")));
        assert!(again.is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(create_atomically(&path, b"new").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        create_atomically(&folder.path().join("new.txt"), b"new").unwrap();
        let nowhere: io::Result<()> = write_atomically(&folder.path().join("a/b"), |_| Ok(()));
        assert!(nowhere.is_err());
    }
}
