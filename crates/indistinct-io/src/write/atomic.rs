//! Files that appear complete or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file under a temporary name in the same folder, syncs it to the disk and renames it to `path`, replacing
/// what was there. On an error, of `fill` or of the system, the temporary file is removed and `path` is untouched.
///
/// # Errors
/// Those of `fill` and of the system.
pub fn write_atomically<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
) -> Result<(), E> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".indistinct-").suffix(".part");
    #[cfg(unix)]
    {
        // As any new file: the process's umask decides.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 18, file);
    fill(&mut out)?;
    out.flush()?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The new name is safe once the folder is; not every system lets a folder be synced.
    if let Ok(folder) = File::open(folder) {
        _ = folder.sync_all();
    }
    Ok(())
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
        let nowhere: io::Result<()> = write_atomically(&folder.path().join("a/b"), |_| Ok(()));
        assert!(nowhere.is_err());
    }
}
