//! Releases appear whole or not at all, list their hashes, and show changes.

use std::num::{NonZeroU32, NonZeroU64};

use indistinct::model::SequentialNormal;
use indistinct::privacy::{Budget, Randomness, ReleaseFacts, Sensitivity};
use indistinct::synthesis::Model;
use indistinct::table::{ColumnSchema, ColumnType, Schema};
use serde_json::{Value, json};

use super::*;
use crate::model_file::model_json;
use indistinct::synthesis::ReleasedModel;

fn certificate() -> Certificate {
    let mut budget = Budget::new("1".parse().unwrap(), NonZeroU32::MIN, Randomness::from_system().unwrap());
    let _ = budget.charge("locate", "0.4".parse().unwrap(), Sensitivity::pmae(NonZeroU64::MIN)).unwrap();
    let _ = budget.charge("measure", "0.6".parse().unwrap(), Sensitivity::counts(NonZeroU64::MIN)).unwrap();
    let fixture = include_str!("../../../indistinct/tests/fixtures/certificate.json");
    let facts = ReleaseFacts { score: None, ..serde_json::from_str(fixture).unwrap() };
    Certificate::new(&budget, "2026-11-15T12:00:00Z", facts)
}

/// The model of such a release.
fn model() -> String {
    let columns = ["x", "y"].map(|name| ColumnSchema::new(name, ColumnType::Float)).to_vec();
    let theta = SequentialNormal::new(vec![0.0, 1.0], vec![vec![1.0], vec![0.5, 2.0]]);
    let schema = Schema::new(vec!["NA".to_owned()], columns).unwrap();
    model_json(&ReleasedModel { schema, rows: 5000, draws: vec![Model::Normal(theta)] }).unwrap()
}

struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn out(&self) -> PathBuf {
        self.0.path().join("release")
    }

    /// All names in the folder of releases, including hidden ones.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// A whole release with a table, a model and a page.
    fn release(&self, table: &str, force: bool) -> Result<Certificate, ReleaseError> {
        let mut folder = ReleaseFolder::begin(&self.out(), force)?;
        folder.write("synthetic.csv", |out| out.write_all(table.as_bytes()))?;
        folder.write(MODEL, |out| out.write_all(model().as_bytes()))?;
        folder.write(PAGE, |out| out.write_all(b"<!doctype html>"))?;
        folder.finish(certificate())
    }

    fn check(&self) -> ReleaseCheck {
        ReleaseCheck::of(&self.out()).unwrap()
    }

    fn edit(&self, edit: impl FnOnce(&mut Value)) -> ReleaseCheck {
        let path = self.out().join(CERTIFICATE);
        let text = fs::read(&path).unwrap();
        let mut value = serde_json::from_slice(&text).unwrap();
        edit(&mut value);
        fs::write(&path, value.to_string()).unwrap();
        let check = self.check();
        fs::write(&path, text).unwrap();
        check
    }
}

fn problem(result: Result<impl std::fmt::Debug, ReleaseError>) -> ReleaseProblem {
    let error = result.unwrap_err();
    assert!(!error.advice().is_empty() && !error.to_string().contains('\n'));
    error.problem().clone()
}

#[test]
fn a_release_appears_whole_and_is_valid() {
    let bench = Bench::new();
    let written = bench.release("x,y\n1,2\n", false).unwrap();
    assert_eq!(bench.names(), ["release"]);
    let check = bench.check();
    assert_eq!(check.certificate, written);
    assert_eq!(check.problems, []);
    assert!(check.is_valid() && check.extra().next().is_none() && !check.is_overclaim(), "{check:?}");
    let names: Vec<&str> = check.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["model.json", "report.html", "synthetic.csv"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let plain = bench.0.path().join("plain");
        fs::create_dir(&plain).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&bench.out()), mode(&plain), "others may read it as any folder");
    }
}

#[test]
fn nothing_is_there_before_the_end_nor_after_a_failure() {
    let bench = Bench::new();
    let mut folder = ReleaseFolder::begin(&bench.out(), false).unwrap();
    folder.write("synthetic.csv", |out| out.write_all(b"x\n")).unwrap();
    assert!(!bench.out().exists());
    assert_eq!(folder.files().len(), 1);
    drop(folder);
    assert!(bench.names().is_empty());

    let mut folder = ReleaseFolder::begin(&bench.out(), false).unwrap();
    let full = |_: &mut (dyn Write + Send)| Err(io::Error::from(io::ErrorKind::StorageFull));
    assert!(matches!(problem(folder.write("a.csv", full)), ReleaseProblem::Write(WriteProblem::Io(_))));
    let unspelled = |_: &mut (dyn Write + Send)| Err(WriteProblem::NoColumns);
    assert_eq!(problem(folder.write("b.csv", unspelled)), WriteProblem::NoColumns.into());
    for name in ["", "..", "a/b", "a\\b", ".hidden", CERTIFICATE, "c:d"] {
        assert_eq!(
            problem(folder.write(name, |_| io::Result::Ok(()))),
            ReleaseProblem::BadFileName,
            "{name}"
        );
    }
    drop(folder);
    assert!(bench.names().is_empty());
}

#[test]
fn an_overclaim_is_not_released() {
    let bench = Bench::new();
    let mut folder = ReleaseFolder::begin(&bench.out(), false).unwrap();
    folder.write("synthetic.csv", |out| out.write_all(b"x\n")).unwrap();
    let mut forged = serde_json::to_value(certificate()).unwrap();
    forged["seeded"] = json!(true);
    let error = folder.finish(serde_json::from_value(forged).unwrap()).unwrap_err();
    assert!(error.is_refusal(), "{error}");
    assert!(bench.names().is_empty());
}

#[test]
fn an_existing_folder_is_kept_unless_forced_and_is_a_release() {
    let bench = Bench::new();
    bench.release("old\n", false).unwrap();
    let read = || fs::read_to_string(bench.out().join("synthetic.csv")).unwrap();
    assert_eq!(problem(bench.release("new\n", false)), ReleaseProblem::Exists);
    // The old one stays until the new one is whole.
    let folder = ReleaseFolder::begin(&bench.out(), true).unwrap();
    assert_eq!(read(), "old\n");
    drop(folder);
    assert_eq!(read(), "old\n");
    bench.release("new\n", true).unwrap();
    assert_eq!(read(), "new\n");
    assert_eq!(bench.names(), ["release"]);

    fs::remove_file(bench.out().join(CERTIFICATE)).unwrap();
    assert_eq!(problem(bench.release("newer\n", true)), ReleaseProblem::NotARelease);
    assert_eq!(read(), "new\n");
    fs::remove_dir_all(bench.out()).unwrap();
    fs::create_dir(bench.out()).unwrap();
    bench.release("newest\n", true).unwrap();
    assert_eq!(read(), "newest\n");
}

#[test]
fn a_folder_that_appears_meanwhile_is_not_overwritten() {
    let bench = Bench::new();
    let folder = ReleaseFolder::begin(&bench.out(), false).unwrap();
    bench.release("first\n", false).unwrap();
    assert_eq!(problem(folder.finish(certificate())), ReleaseProblem::Exists);
    assert_eq!(fs::read_to_string(bench.out().join("synthetic.csv")).unwrap(), "first\n");
    assert_eq!(bench.names(), ["release"]);
}

#[test]
fn impossible_places_are_refused_at_once() {
    let bench = Bench::new();
    let begin = |path: &Path| problem(ReleaseFolder::begin(path, true));
    for name in ["/", "..", "."] {
        assert_eq!(begin(Path::new(name)), ReleaseProblem::BadName, "{name}");
    }
    assert!(matches!(begin(&bench.out().join("a/b")), ReleaseProblem::Write(_)));
    fs::write(bench.out(), "a file").unwrap();
    assert_eq!(begin(&bench.out()), ReleaseProblem::NotAFolder);
    assert_eq!(problem(ReleaseFolder::begin(&bench.out(), false)), ReleaseProblem::Exists);
    #[cfg(unix)]
    {
        let (link, real) = (bench.0.path().join("link"), bench.0.path().join("real"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert_eq!(begin(&link), ReleaseProblem::NotAFolder);
    }
    #[cfg(target_os = "linux")]
    assert!(matches!(begin(Path::new("/proc/release")), ReleaseProblem::Write(_)));
}

#[test]
fn changes_in_the_folder_are_found() {
    let bench = Bench::new();
    bench.release("x,y\n1,2\n", false).unwrap();
    let out = bench.out();
    let broken = || bench.check().broken().map(|file| file.state.clone()).collect::<Vec<_>>();
    fs::write(out.join("synthetic.csv"), "x,y\n2,2\n").unwrap();
    assert_eq!(broken(), [FileState::Changed]);
    fs::remove_file(out.join("synthetic.csv")).unwrap();
    assert_eq!(broken(), [FileState::Missing]);
    fs::create_dir(out.join("synthetic.csv")).unwrap();
    assert_eq!(broken(), [FileState::Changed]);
    fs::remove_dir(out.join("synthetic.csv")).unwrap();
    fs::write(out.join("synthetic.csv"), "x,y\n1,2\n").unwrap();
    assert!(broken().is_empty());

    fs::write(out.join("private.csv"), "x\n").unwrap();
    fs::create_dir(out.join("more")).unwrap();
    let check = bench.check();
    assert_eq!(check.extra().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["more/", "private.csv"]);
    assert!(check.broken().next().is_none());
}

#[test]
fn changes_in_the_certificate_are_found() {
    let bench = Bench::new();
    bench.release("x,y\n1,2\n", false).unwrap();
    assert!(bench.edit(|c| c["guarantee"]["epsilon"] = json!(0.1)).is_overclaim());
    let lowered = bench.edit(|c| {
        c["epsilon"] = json!(0.1);
        c["guarantee"]["epsilon"] = json!(0.1);
    });
    assert!(lowered.is_overclaim());
    assert!(bench.edit(|c| c["seeded"] = json!(true)).is_overclaim());
    let modest = bench.edit(|c| c["guarantee"] = json!({"kind": "none", "because": ["shy"]}));
    assert!(!modest.problems.is_empty() && !modest.is_overclaim());
    let odd = bench.edit(|c| c["draws"] = json!(0));
    assert!(!odd.problems.is_empty() && !odd.is_overclaim());
    // A name that leads elsewhere is not followed.
    let outside = bench.edit(|c| c["files"]["../secret"] = json!("0".repeat(64)));
    assert_eq!(outside.broken().map(|file| file.state.word()).collect::<Vec<_>>(), ["bad-name"]);
}

/// The check of a release whose files are written by `write`.
fn written(write: impl FnOnce(&mut ReleaseFolder)) -> ReleaseCheck {
    let bench = Bench::new();
    let mut folder = ReleaseFolder::begin(&bench.out(), false).unwrap();
    write(&mut folder);
    folder.finish(certificate()).unwrap();
    bench.check()
}

#[test]
fn models_and_tables_that_cannot_be_used_are_seen() {
    let states = |table: &str, model: &str| {
        let check = written(|folder| {
            folder.write("synthetic.csv", |out| out.write_all(table.as_bytes())).unwrap();
            folder.write(MODEL, |out| out.write_all(model.as_bytes())).unwrap();
            folder.write(PAGE, |out| out.write_all(b"page")).unwrap();
        });
        assert!(!check.is_valid());
        check.broken().map(|file| (file.name.clone(), file.state.word())).collect::<Vec<_>>()
    };
    let unusable = |name: &str| vec![(name.to_owned(), "unusable")];
    for text in ["[]", "{}", "", "{\"theta\":[1,"] {
        assert_eq!(states("x,y\n1,2\n", text), unusable(MODEL), "{text}");
    }
    for table in ["x\n1\n", "y,x\n1,2\n", "", "x,y,z\n1,2,3\n"] {
        assert_eq!(states(table, &model()), unusable("synthetic.csv"), "{table}");
    }
}

#[test]
fn missing_parts_of_a_release_are_found() {
    let check = written(|_| {});
    let tables = Contradiction::Tables { listed: 0, expected: 1 };
    assert_eq!(check.contradictions, [tables, Contradiction::Unlisted(MODEL), Contradiction::Unlisted(PAGE)]);
    assert!(!check.is_valid() && !check.is_overclaim());
    let bench = Bench::new();
    bench.release("x,y\n1,2\n", false).unwrap();
    let model = |what, stated, found| vec![Contradiction::Model { what, stated, found }];
    assert_eq!(bench.edit(|c| c["rows"] = json!(4999)).contradictions, model("rows", 4999, 5000));
    assert_eq!(bench.edit(|c| c["model"] = json!("mixed")).contradictions, [Contradiction::Kind]);
    let two = bench.edit(|c| c["draws"] = json!(2)).contradictions;
    assert!(two.contains(&Contradiction::Tables { listed: 1, expected: 2 }), "{two:?}");
    let foreign = bench.edit(|c| c["files"]["private.csv"] = json!("0".repeat(64))).contradictions;
    assert_eq!(foreign, [Contradiction::Foreign("private.csv".to_owned())]);
}

#[test]
fn rejects_folders_that_are_not_releases() {
    let bench = Bench::new();
    let of = |path: &Path| problem(ReleaseCheck::of(path));
    assert_eq!(of(&bench.out()), ReleaseProblem::NotFound);
    assert_eq!(of(bench.0.path()), ReleaseProblem::NoCertificate);
    fs::write(bench.0.path().join(CERTIFICATE), "{}").unwrap();
    assert!(matches!(of(bench.0.path()), ReleaseProblem::NotACertificate(_)));
    assert_eq!(of(&bench.0.path().join(CERTIFICATE)), ReleaseProblem::NotAFolder);
}

#[cfg(unix)]
#[test]
fn a_disk_without_room_is_seen_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let release = ReleaseFolder::begin(&folder.path().join("release"), false).unwrap();
    release.require_space(1000).unwrap();
    let error = release.require_space(u64::MAX).unwrap_err();
    assert!(matches!(error.problem(), ReleaseProblem::NoSpace { needed: u64::MAX, .. }), "{error}");
}
