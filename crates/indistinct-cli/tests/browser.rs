//! Both pages in a browser: nothing is complained about, every figure is drawn, nothing is wider than the window. Needs
//! `chromium` and leaves screenshots in `target/tmp`, so that it is run by `./check` and not with the other tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot write its files has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Asks a page in the browser what a reader would see, and puts the answer where `--dump-dom` shows it.
const QUESTIONS: &str = r#"<script>
window.addEventListener("load", () => {
  const wrong = [];
  const say = (holds, what) => { if (!holds) wrong.push(what); };
  const seen = element => { const box = element.getBoundingClientRect(); return box.width > 0 && box.height > 0; };
  const charts = [...document.querySelectorAll("svg")];
  say(charts.length > 3, "hardly any figures");
  for (const chart of charts) {
    const title = chart.querySelector("title");
    say(title && title.textContent.trim(), "a figure without a title");
    const marks = [...chart.querySelectorAll(".ic-marks rect, .ic-marks path")];
    say(marks.length > 0, "a figure without marks: " + title.textContent);
    if (!seen(chart)) continue;
    say(marks.some(mark => { const box = mark.getBBox(); return box.width > 0 || box.height > 0; }),
      "marks without an extent: " + title.textContent);
  }
  say(charts.filter(seen).length > 3, "hardly any figures to see");
  say(document.documentElement.scrollWidth <= window.innerWidth, "wider than the window");
  for (const link of document.querySelectorAll("a[href]")) {
    say(document.getElementById(link.getAttribute("href").slice(1)), "a link to nowhere");
  }
  for (const label of document.querySelectorAll("label")) {
    say(label.control, "a label without its control");
    label.click();
    say(label.control.checked, "a choice that cannot be made");
  }
  const banner = document.querySelector(".banner");
  if (banner) {
    window.scrollTo(0, document.body.scrollHeight);
    const box = banner.getBoundingClientRect();
    say(box.top >= 0 && box.bottom < 100 && seen(banner), "a banner that scrolls away");
  }
  say(document.scripts.length === 1, "scripts in the page");
  document.title = wrong.length ? "WRONG: " + wrong.join("; ") : "SOUND " + charts.length;
});
</script></body>"#;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn indistinct(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_indistinct")).current_dir(folder).args(arguments).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs the browser on a page, with a profile of its own, and nothing may appear on its console.
fn browse(page: &Path, more: &[&str]) -> Output {
    let profile = TempDir::new().unwrap();
    let output = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            // Containers have little shared memory.
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--hide-scrollbars",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--v=0", "--timeout=60000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(more)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = complaints.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{}: {complaints:#?}", page.display());
    output
}

fn assert_sound(page: &Path, name: &str) {
    // As it is, first: with its policy, which would complain about anything loaded or run.
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (look, setting) in [("light", "preferredColorScheme=1"), ("dark", "preferredColorScheme=0")] {
        let picture = pictures.join(format!("{name}-{look}.png"));
        let _ = std::fs::remove_file(&picture);
        browse(
            page,
            &[
                &format!("--screenshot={}", picture.display()),
                "--window-size=1280,2400",
                &format!("--blink-settings={setting}"),
            ],
        );
        assert!(std::fs::metadata(&picture).unwrap().len() > 20_000, "{}", picture.display());
    }
    let sheets = pictures.join(format!("{name}.pdf"));
    browse(page, &[&format!("--print-to-pdf={}", sheets.display()), "--no-pdf-header-footer"]);
    assert!(std::fs::read(&sheets).unwrap().starts_with(b"%PDF"));
    // Then with questions, which the policy would not let run.
    let text = std::fs::read_to_string(page).unwrap();
    let policy = text.lines().find(|line| line.contains("Content-Security-Policy")).unwrap();
    let asked = text.replacen(policy, "", 1).replacen("</body>", QUESTIONS, 1);
    let copy = page.with_extension("asked.html");
    std::fs::write(&copy, asked).unwrap();
    for width in ["1280,900", "500,900"] {
        let output = browse(&copy, &["--dump-dom", &format!("--window-size={width}")]);
        let answer = String::from_utf8_lossy(&output.stdout);
        let title =
            answer.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).unwrap_or("none");
        assert!(title.starts_with("SOUND"), "{name} at {width}: {title}");
    }
}

#[test]
#[ignore = "needs chromium: run by ./check"]
fn pages_are_sound_in_a_browser() {
    let folder = TempDir::new().unwrap();
    let example = |name: &str| repository().join("examples").join(name).display().to_string();
    let schema = example("measurements.toml");
    let table = example("measurements.csv");
    let options = ["--epsilon", "1", "--score-epsilon", "0.05", "--quiet"];
    indistinct(folder.path(), &[&["synth", &table, "--schema", &schema], &options[..]].concat());
    indistinct(folder.path(), &["verify", "release"]);
    assert_sound(&folder.path().join("release/report.html"), "release");

    let tables =
        [example("patients.csv"), example("patients-synthetic.csv"), example("patients-synthetic.csv")];
    let [real, one, two] = &tables;
    let schema = example("patients.toml");
    let evaluate = ["evaluate", real, one, two, "--schema", &schema, "--html", "look.private.html"];
    indistinct(folder.path(), &evaluate);
    assert_sound(&folder.path().join("look.private.html"), "evaluation");
}
