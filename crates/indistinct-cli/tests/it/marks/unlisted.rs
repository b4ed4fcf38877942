//! Marks where no schema expects them: in cells that are not as declared, and in a first line that is no header.

use super::*;

/// Files without a header, whose first record is full of marks, by name: whoever takes it for names publishes it.
pub(super) fn headless() -> Vec<(&'static str, String)> {
    let record = "PERSON-4c0,918273645.125,91827364,2093-07-31,2093-07-31T23:59:57,yes,MARK-7f3a,low\n";
    let body =
        |rows: &[[String; 8]]| rows.iter().fold(String::new(), |text, row| text + &row.join(",") + "\n");
    let short = |line: &str| line.rsplit_once(',').unwrap().1.to_owned() + "\n";
    let grades: String = body(&rows(300)).lines().map(short).collect();
    vec![
        ("headless.csv", format!("{record}{}", body(&rows(300)))),
        ("headless-hole.csv", format!("{}{}", record.replace(",yes,", ",,"), body(&rows(300)))),
        ("headless-twice.csv", format!("{}{}", record.replace(",low", ",MARK-7f3a"), body(&rows(300)))),
        // Nothing but words, one of which comes again.
        ("headless-words.csv", format!("MARK-7f3a\n{grades}MARK-7f3a\n")),
    ]
}

#[test]
fn cells_and_first_records_that_are_released_tell_no_private_value() {
    let bench = Workbench::new();
    bench.file("schema.toml", SCHEMA);
    let mut invalid = rows(1200);
    for (row, column, cell) in [
        (17, 1, "MARK-7f3a"),
        (18, 1, "918273645e999"),
        (19, 2, "918273645.125"),
        (20, 3, "31/07/2093"),
        (21, 4, "MARK-7f3a"),
        (22, 5, "MARK-7f3a"),
        (23, 6, "MARK-7f3a"),
        (24, 7, "MARK-7f3a"),
        (25, 0, ""),
    ] {
        cell.clone_into(&mut invalid[row][column]);
    }
    bench.file("invalid.csv", text(&invalid));
    let (_, body) = text(&rows(1200)).split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    bench.file("headless.csv", body);
    bench.file(
        "headless-numbers.csv",
        "918273645.125,-918273645.125\n".to_owned() + numbers(1200).split_once('\n').unwrap().1,
    );
    let id = "version = 1\n[[column]]\nname = \"id\"\ntype = \"identifier\"\n";
    bench.file("in-order.toml", SCHEMA.replacen("version = 1\n", id, 1));
    for arguments in [
        &[
            "synth",
            "invalid.csv",
            "--schema",
            "schema.toml",
            "--person",
            "id",
            "--rows-per-person",
            "2",
            "--epsilon",
            "6",
            "--invalid",
            "missing",
        ][..],
        &[
            "synth",
            "headless.csv",
            "--no-header",
            "--schema",
            "in-order.toml",
            "--epsilon",
            "6",
            "--out",
            "named",
        ],
        &["synth", "headless-numbers.csv", "--no-header", "--epsilon", "6", "--out", "numbered"],
    ] {
        let before = files(&bench);
        let output = run(&bench, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        nothing_is_told(&bench, arguments, &output, &before, false);
    }
}
