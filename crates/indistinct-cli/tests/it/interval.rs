//! `indistinct interval` and `indistinct rehearse`.

use serde_json::Value;

use super::{Workbench, stderr};

const SCHEMA: &str = "version = 1\n\
    [[column]]\nname = \"age\"\ntype = \"integer\"\nminimum = 18\nmaximum = 90\n\
    [[column]]\nname = \"sex\"\ntype = \"nominal\"\nlevels = [\"F\", \"M\"]\n\
    [[column]]\nname = \"smoker\"\ntype = \"boolean\"\n\
    [[column]]\nname = \"w\"\ntype = \"float\"\ndecimals = 1\nminimum = 0\nmaximum = 4\nweight = true\n";

/// A release of 500 rows.
fn bench() -> Workbench {
    let bench = Workbench::new();
    let mut text = "age,sex,smoker,w\n".to_owned();
    for row in 0..500_usize {
        let (age, sex) = (18 + (row * 31) % 60, ["F", "M"][row * 13 % 7 % 2]);
        let smoker = (row * 17 % 11 < 3) != (age > 60);
        text += &format!("{age},{sex},{smoker},{}.{}\n", 1 + row % 2, row % 10);
    }
    bench.file("people.csv", text);
    bench.file("people.toml", SCHEMA);
    let synth =
        ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "4", "--seed", "1", "--quiet"];
    assert!(bench.run(&synth).status.success());
    bench
}

fn said(bench: &Workbench, arguments: &[&str], code: i32) -> String {
    let output = bench.run(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    assert!(output.stdout.is_empty(), "{arguments:?}");
    stderr(&output)
}

#[test]
fn intervals_have_the_promised_fields_and_repeat() {
    let bench = bench();
    let asked =
        ["interval", "release", "mean(age)", "age ~ sex", "share(smoker, weight = w)", "--replicates", "10"];
    let found = bench.json(&[&asked[..], &["--json", "--html", "bars.html"]].concat());
    assert_eq!((&found["replicates"], &found["of"]), (&Value::from(10), &Value::from("population")));
    let statistics = found["statistics"].as_array().unwrap();
    let named: Vec<(&str, Option<&str>)> =
        statistics.iter().map(|one| (one["statistic"].as_str().unwrap(), one["term"].as_str())).collect();
    assert_eq!(
        named,
        [
            ("mean(age)", None),
            ("age ~ sex", Some("(Intercept)")),
            ("age ~ sex", Some("sexM")),
            ("share(smoker, weight = w)", None)
        ]
    );
    for one in statistics {
        let number = |field: &str| one[field].as_f64().unwrap();
        assert!(
            number("low") < number("estimate") && number("estimate") < number("high") && number("se") > 0.0
        );
        assert_eq!(one["level"], 0.95);
    }
    let notes: Vec<&str> = found["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(notes[0].contains("promises no privacy: seeded"), "{notes:?}");
    assert!(notes[1].contains("weight = w"), "the unweighted mean is remarked on: {notes:?}");
    assert_eq!(
        found,
        bench.json(&[&asked[..], &["--json", "--threads", "1"]].concat()),
        "the same every time"
    );
    let page = std::fs::read_to_string(bench.path("bars.html")).unwrap();
    assert!(
        page.contains("<svg class=\"bar\"") && page.contains("give or take") && !page.contains("<script")
    );
    // A page that cannot be is told of before the work, which fails on this release.
    let page = |name: &str| said(&bench, &["interval", "nowhere", "mean(age)", "--html", name], 1);
    let there = page("bars.html");
    assert!(there.contains("bars.html exists") && there.contains("another name for --html"), "{there}");
    assert!(page("nodir/x.html").contains("nodir/x.html: its folder does not exist"));
    assert!(page("release").contains("release: is a folder"));
}

#[test]
fn bars_stay_within_what_a_number_can_be() {
    let bench = bench();
    let statistics =
        ["share(age < 22 and sex == 'F')", "share(age > age)", "quantile(age, 1)", "median(smoker)"];
    let found = bench.json(
        &[&["interval", "release"][..], &statistics, &["--replicates", "10", "--level", "0.9999", "--json"]]
            .concat(),
    );
    let ends = |place: usize| {
        let one = &found["statistics"][place];
        (one["low"].as_f64().unwrap(), one["high"].as_f64().unwrap())
    };
    assert_eq!(ends(0).0, 0.0);
    assert!(ends(0).1 > 0.0);
    assert_eq!(ends(1), (0.0, 0.0));
    assert!(ends(2).1 <= 90.0 && ends(3).0 >= 0.0 && ends(3).1 <= 1.0, "declared limits: {found}");
    let notes = found["notes"].to_string();
    assert!(notes.contains("share(age > age) was the same in all rehearsals"), "{notes}");
    let told = bench.run(&["interval", "release", "mean(age)", "--replicates", "10", "--level", "0.9999"]);
    assert!(String::from_utf8_lossy(&told.stdout).starts_with("99.99 % intervals"));
}

#[test]
fn rehearsals_are_kept_resumed_and_used() {
    let bench = bench();
    let rehearse = ["rehearse", "release", "--replicates", "10", "--out", "kept", "--json"];
    let told = bench.json(&rehearse);
    assert_eq!((&told["replicates"], &told["release"]), (&Value::from(10), &Value::from(false)));
    let marked = std::fs::read_to_string(bench.path("kept/rehearsal.json")).unwrap();
    assert!(marked.contains("NOT a release") && !bench.path("kept/certificate.json").exists());
    let table = bench.path("kept/rehearsal-0004.csv");
    let before = std::fs::read(&table).unwrap();
    assert!(said(&bench, &rehearse, 1).contains("--resume"));
    // As if the run had been stopped: a rehearsal without the rows that are written last is made again.
    std::fs::remove_file(bench.path("kept/rehearsal-0004-drawn.csv")).unwrap();
    std::fs::write(&table, "half").unwrap();
    let asked = ["interval", "release", "mean(age)", "--rehearsed", "kept", "--json"];
    assert!(said(&bench, &asked, 1).contains("9 of 10"));
    bench.json(&[&rehearse[..], &["--resume"]].concat());
    assert_eq!(std::fs::read(&table).unwrap(), before);
    let kept = bench.json(&asked);
    assert_eq!(kept, bench.json(&["interval", "release", "mean(age)", "--replicates", "10", "--json"]));
    // A damaged file is no undefined statistic, and one that is missing is made again.
    std::fs::write(&table, "half").unwrap();
    let damaged = said(&bench, &asked, 1);
    assert!(
        damaged.starts_with("error: kept/rehearsal-0004.csv") && damaged.contains("--resume"),
        "{damaged}"
    );
    std::fs::remove_file(&table).unwrap();
    assert!(said(&bench, &asked, 1).contains("9 of 10"));
    bench.json(&[&rehearse[..], &["--resume"]].concat());
    // Tables that were cut short have fewer rows than they were made with, and are made again.
    for name in ["rehearsal-population.csv", "rehearsal-0004.csv", "rehearsal-0007-drawn.csv"] {
        let path = bench.path(&format!("kept/{name}"));
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, whole.lines().take(200).map(|line| format!("{line}\n")).collect::<String>())
            .unwrap();
        let cut = said(&bench, &asked, 1);
        assert!(cut.contains(name) && cut.contains("199 rows of") && cut.contains("--resume"), "{cut}");
        bench.json(&[&rehearse[..], &["--resume"]].concat());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    }
    // Anybody may have written what the folder says of itself.
    let manifest = bench.path("kept/rehearsal.json");
    let honest = std::fs::read_to_string(&manifest).unwrap();
    for (field, wrong, told) in [
        ("\"tables\": 1", "\"tables\": 0", "does not fit"),
        ("\"tables\": 1", "\"tables\": 18446744073709551615", "does not fit"),
        ("\"replicates\": 10", "\"replicates\": 0", "does not fit"),
        ("\"replicates\": 10", "\"replicates\": 18446744073709551615", "10 of 18446744073709551615"),
        ("\".csv\"", "\"/../../people.csv\"", "does not fit"),
        ("\"synthetic\": 500", "\"synthetic\": 100", "does not fit"),
    ] {
        assert!(honest.contains(field), "{honest}");
        std::fs::write(&manifest, honest.replace(field, wrong)).unwrap();
        assert!(said(&bench, &asked, 1).contains(told), "{wrong}");
    }
    std::fs::write(&manifest, honest).unwrap();
    assert_eq!((kept, std::fs::read(&table).unwrap()), (bench.json(&asked), before));
    assert!(said(&bench, &[&asked[..], &["--seed", "5"]].concat(), 2).contains("leave out --seed"));
    assert!(said(&bench, &["rehearse", "release", "--out", "release"], 1).contains("no rehearsals"));
    assert!(
        said(&bench, &["interval", "release", "mean(age)", "--rehearsed", "release"], 1)
            .contains("no rehearsals")
    );
    assert!(said(&bench, &["verify", "kept"], 1).contains("certificate"));
}

#[test]
fn combine_rehearses_least_squares_and_logits() {
    let bench = bench();
    let combine = |formula: &str| {
        bench.json(&[
            "combine",
            "release",
            "--formula",
            formula,
            "--rehearse",
            "--replicates",
            "10",
            "--json",
        ])
    };
    let linear = combine("age ~ sex * smoker");
    assert_eq!(
        (&linear["rule"], &linear["formula"]),
        (&Value::from("rehearsals"), &Value::from("age ~ sex * smoker"))
    );
    assert!(linear["no_intervals"].is_null() && linear["coefficients"][3]["std_error"].is_number());
    let logit = combine("logit(smoker ~ age + sex)");
    assert_eq!(logit["coefficients"][1]["name"], "age");
    assert!(logit["coefficients"][1]["low"].is_number() && logit["sigma"].is_null());
    assert_eq!(logit["complete_rows"][0], linear["complete_rows"][0]);
    // A coefficient is significant exactly where its interval is without zero.
    for one in [&linear, &logit].into_iter().flat_map(|found| found["coefficients"].as_array().unwrap()) {
        let number = |field: &str| one[field].as_f64().unwrap();
        assert_eq!(number("p") < 0.05, number("low") > 0.0 || number("high") < 0.0, "{one}");
    }
    assert!(linear["sigma"].as_f64().unwrap() > 0.0 && linear["coefficients"][0]["within"].is_number());
    // Conditions and weights are for both.
    for formula in ["age ~ sex, weight = w where age < 70", "logit(smoker ~ sex, weight = w) where age < 70"]
    {
        let found = combine(formula);
        assert_eq!(found["formula"], *formula);
        assert!(found["coefficients"][1]["p"].is_number(), "{found}");
        assert!(
            found["rows"].as_u64() < linear["rows"].as_u64() && found["rows"] == found["complete_rows"][0]
        );
    }
    let refused = |formula: &str| {
        said(&bench, &["combine", "release", "--rehearse", "--replicates", "10", "--formula", formula], 1)
    };
    let wrong = ["age ~ sex where agee > 3", "logit(smoker ~ sex) where agee > 3"].map(refused);
    let after = |told: &String| told.split_once(": ").unwrap().1.split_once(": ").unwrap().1.to_owned();
    assert_eq!(after(&wrong[0]), after(&wrong[1]));
    assert!(
        said(&bench, &["combine", "release", "--rehearse", "--formula", "mean(age)"], 2)
            .contains("no regression")
    );
    for formula in ["logit(smoker ~ age)", "logit(smoker ~ age) where age > 30"] {
        assert!(said(&bench, &["combine", "release", "--formula", formula], 2).contains("--rehearse"));
    }
    let ruled = ["combine", "release", "--formula", "age ~ sex", "--rehearse", "--rule", "raab"];
    assert!(said(&bench, &ruled, 2).contains("place of a rule"));
    let tables = ["combine", "release/synthetic.csv", "people.csv", "--formula", "age ~ sex", "--rehearse"];
    assert!(said(&bench, &tables, 2).contains("folder"));
}

#[test]
fn the_page_of_a_release_has_bars() {
    let bench = bench();
    let synth =
        ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "4", "--seed", "1", "--quiet"];
    let with = [&synth[..], &["--out", "barred", "--rehearsals", "10"]].concat();
    assert!(bench.run(&with).status.success());
    let page = std::fs::read_to_string(bench.path("barred/report.html")).unwrap();
    assert!(page.contains("How wrong these numbers may be") && page.contains("cor(age, smoker)"));
    let same = |name: &str| {
        std::fs::read(bench.path(&format!("barred/{name}"))).unwrap()
            == std::fs::read(bench.path(&format!("release/{name}"))).unwrap()
    };
    assert!(same("synthetic.csv") && same("model.json"), "the release itself is the same");
    assert!(
        said(&bench, &[&synth[..], &["--out", "few", "--rehearsals", "1"]].concat(), 2)
            .contains("--rehearsals 1")
    );
    assert!(!bench.path("few").exists());
}

#[test]
fn the_page_marks_what_noise_may_have_made_and_has_bars_on_shares() {
    let bench = Workbench::new();
    let (mut text, levels) = ("a,b,c\n".to_owned(), ["no'th", "south", "west"]);
    for row in 0..600_usize {
        let (a, c) = (row * 7 % 11 % 3, row * 13 % 17 % 3);
        text += &format!("{},{},{}\n", levels[a], ["u", "v", "w"][a], levels[c]);
    }
    bench.file("levels.csv", text);
    let column = |name: &str, levels: &str| {
        format!("[[column]]\nname = \"{name}\"\ntype = \"nominal\"\nlevels = [{levels}]\n")
    };
    let (places, letters) = ("\"no'th\", \"south\", \"west\"", "\"u\", \"v\", \"w\"");
    bench.file(
        "levels.toml",
        format!("version = 1\n{}{}{}", column("a", places), column("b", letters), column("c", places)),
    );
    let synth =
        ["synth", "levels.csv", "--schema", "levels.toml", "--epsilon", "2", "--seed", "3", "--quiet"];
    assert!(bench.run(&[&synth[..], &["--rehearsals", "20"]].concat()).status.success());
    let page = std::fs::read_to_string(bench.path("release/report.html")).unwrap();
    let cell = |a: &str, b: &str| {
        let row = format!("<th scope=\"row\"><bdi>{a}</bdi></th><td><bdi>{b}</bdi></td><td class=\"num\">");
        page.split(&row).nth(1).unwrap().split("</td>").next().unwrap().to_owned()
    };
    assert!(!cell("a", "b").contains("may be noise"), "one determines the other");
    assert!(cell("a", "c").ends_with("(may be noise)") && cell("b", "c").ends_with("(may be noise)"));
    // Every level of every column has its bar, in the figure and in the table.
    assert_eq!(page.matches("class=\"ic-reach\"").count(), 9);
    assert!(page.contains("share(a == &#x27;no&#x27;&#x27;th&#x27;)"));
    assert!(bench.run(&[&synth[..], &["--out", "plain"]].concat()).status.success());
    let plain = std::fs::read_to_string(bench.path("plain/report.html")).unwrap();
    assert!(!plain.contains("class=\"ic-reach\"") && !plain.contains("may be noise"));
}

#[test]
fn bars_on_a_page_are_those_of_all_tables() {
    let bench = bench();
    for (out, option) in [("draws", "--draws"), ("tables", "--tables")] {
        let synth = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "4", "--quiet"];
        let several = [option, "2", "--rehearsals", "10", "--out", out];
        assert!(bench.run(&[&synth[..], &several].concat()).status.success());
        let page = std::fs::read_to_string(bench.path(&format!("{out}/report.html"))).unwrap();
        let table = bench.path(&format!("{out}/synthetic-01.csv"));
        let lines = std::fs::read_to_string(&table).unwrap();
        let first: f64 = lines
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap().parse::<f64>().unwrap())
            .sum::<f64>()
            / 500.0;
        let found = bench.json(&["interval", out, "mean(age)", "--replicates", "10", "--json"]);
        let number = |field: &str| found["statistics"][0][field].as_f64().unwrap();
        assert_ne!(number("estimate"), first, "the mean of both tables");
        let row = page.split("<bdi>mean(age)</bdi>").nth(1).unwrap().split("</tr>").next().unwrap();
        let told: Vec<f64> = row
            .split("<td class=\"num\">")
            .skip(1)
            .map(|cell| cell.split('<').next().unwrap().parse().unwrap())
            .collect();
        for (told, field) in told.iter().zip(["estimate", "low", "high"]) {
            assert!((told - number(field)).abs() < 0.006, "{field}: {told} and {found}");
        }
    }
}

#[test]
fn releases_of_other_versions_and_of_persons_are_remarked_on() {
    let bench = bench();
    let synth = [
        "synth",
        "people.csv",
        "--schema",
        "people.toml",
        "--epsilon",
        "4",
        "--rows-per-person",
        "2",
        "--out",
        "persons",
    ];
    assert!(bench.run(&[&synth[..], &["--quiet"]].concat()).status.success());
    let certificate = bench.path("persons/certificate.json");
    let text = std::fs::read_to_string(&certificate).unwrap();
    let ours = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&ours));
    std::fs::write(&certificate, text.replace(&ours, "\"version\": \"0.1.9\"")).unwrap();
    let noted = |release: &str| {
        let asked = ["interval", release, "mean(age, weight = w)", "--replicates", "10", "--json"];
        bench.json(&asked)["notes"].to_string()
    };
    let notes = noted("persons");
    assert!(
        notes.contains("made by version 0.1.9") && notes.contains("persons may own several rows"),
        "{notes}"
    );
    let notes = noted("release");
    assert!(!notes.contains("made by version") && !notes.contains("persons"), "{notes}");
}

#[test]
fn bad_input_is_told_with_what_to_do() {
    let bench = bench();
    let asked = |statistic: &str| said(&bench, &["interval", "release", statistic, "--replicates", "10"], 1);
    assert!(
        asked("mean(agee)").contains("character 6") && asked("mean(agee)").contains("did you mean `age`")
    );
    assert!(asked("mean(sex)").contains("share(sex == 'F')"));
    assert!(asked("mean(age) where age > 500").contains("help:"));
    assert!(asked("mean(age) where age > 89 and age < 20").contains("no row"));
    assert!(said(&bench, &["interval", "release", "mean(age)", "--replicates", "1"], 2).contains("too few"));
    assert!(
        said(&bench, &["interval", "release", "mean(age)", "--level", "95"], 2).contains("between 0 and 1")
    );
    assert!(said(&bench, &["interval", "nowhere", "mean(age)"], 1).contains("does not exist"));
    assert!(said(&bench, &["interval", "people.csv", "mean(age)"], 1).contains("not a folder"));
    std::fs::create_dir(bench.path("empty")).unwrap();
    assert!(said(&bench, &["interval", "empty", "mean(age)"], 1).contains("certificate"));
    // A model that was changed, and none at all.
    let model = bench.path("release/model.json");
    let whole = std::fs::read_to_string(&model).unwrap();
    std::fs::write(&model, whole.replace("\"rows\":500", "\"rows\":501")).unwrap();
    assert!(asked("mean(age)").contains("model.json is changed"));
    std::fs::remove_file(&model).unwrap();
    assert!(asked("mean(age)").contains("model.json is missing"));
}

#[test]
fn releases_by_other_methods_are_refused() {
    let bench = Workbench::new();
    let rows: String = (0..400).map(|row| format!("{},{}\n", row % 37, (row * 7) % 41)).collect();
    bench.file("numbers.csv", format!("x,y\n{rows}"));
    let release = |out: &str, arguments: &[&str]| {
        let all = [arguments, &["--epsilon", "5", "--seed", "1", "--quiet", "--out", out]].concat();
        let output = bench.run(&all);
        assert!(output.status.success(), "{}", stderr(&output));
    };
    release("bayes", &["baseline", "noisy-bayes", "numbers.csv", "--bounds", "0:50"]);
    assert!(said(&bench, &["interval", "bayes", "mean(x)"], 1).contains("noisy-bayes"));
    assert!(said(&bench, &["rehearse", "bayes", "--out", "kept"], 1).contains("noisy-bayes"));
    assert!(!bench.path("kept").exists(), "nothing is begun that cannot be");
    release("histogram", &["baseline", "smooth-histogram", "numbers.csv", "--bounds", "0:50", "--bins", "4"]);
    assert!(said(&bench, &["interval", "histogram", "mean(x)"], 1).contains("no model"));
    release("normal", &["synth", "numbers.csv", "--model", "normal"]);
    let found = bench.json(&["interval", "normal", "mean(x)", "--replicates", "10", "--json"]);
    assert!(found["statistics"][0]["se"].as_f64().unwrap() > 0.0);
    release("walk", &["synth", "numbers.csv", "--sampler", "metropolis", "--steps", "200"]);
    assert!(said(&bench, &["interval", "walk", "mean(x)"], 1).contains("metropolis"));
}
