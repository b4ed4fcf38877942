//! Bad input: a clear error, exit code 1, nothing written, and never the content of a cell.

use super::{MARK, Workbench, failure, says, small, stderr, stdout};

/// Runs `evaluate` on a damaged real table and gives what it says.
fn said(name: &str, content: impl AsRef<[u8]>) -> String {
    let bench = Workbench::new();
    bench.file(name, content);
    bench.file("synthetic.csv", small(50, 1));
    failure(&bench, &["evaluate", name, "synthetic.csv"])
}

#[test]
fn files_that_are_not_there() {
    let bench = Workbench::new();
    bench.file("synthetic.csv", small(50, 1));
    says(&failure(&bench, &["evaluate", "nowhere.csv", "synthetic.csv"]), &["nowhere.csv", "no such file"]);
    says(&failure(&bench, &["evaluate", "synthetic.csv", "nowhere.csv"]), &["nowhere.csv"]);
    says(
        &failure(&bench, &["evaluate", "synthetic.csv", "synthetic.csv", "--schema", "no.toml"]),
        &["no.toml"],
    );
    says(&said("table.dat", "PK"), &["table.dat", ".xlsx", ".parquet"]);
}

#[test]
fn files_that_are_not_tables() {
    says(&said("real.csv", ""), &["real.csv", "empty"]);
    says(&said("real.csv", "x,k,level\n"), &["no rows"]);
    says(&said("real.csv", format!("x,x,level\n{MARK},2,low\n")), &["columns 1 and 2", "same name"]);
    says(&said("real.csv", format!("x,,level\n{MARK},2,low\n")), &["column 2", "empty name"]);
    says(&said("real.csv", format!("x,k,level\n1,2,low\n{MARK},2\n")), &["row 2", "line 3", "2 fields"]);
    says(&said("real.csv", format!("x,k,level\n1,2,low\n{MARK},2,low,9\n")), &["row 2", "4 fields"]);
    says(&said("real.csv", format!("x,k,level\n{MARK},2,l\0w\n")), &["line 2", "NUL"]);
    says(&said("real.csv", b"x,k,level\n1,2,l\xffw\n"), &["line 2", "UTF-8"]);
    says(
        &said("real.csv", format!("x,k,level\n1,2,low\n3,4,\"{MARK}\n5,6,low\n")),
        &["line 3", "never closed"],
    );
    says(&said("real.csv", format!("x,k,level\n1,2,low\n1e999,{MARK},low\n")), &["row 2", "column 1"]);
    says(&said("real.csv.gz", b"\x1f\x8b\x08\x00\x00"), &["real.csv.gz", "gzip"]);
    says(&said("real.parquet", "PAR1 and nothing more"), &["real.parquet", "cut short"]);
    says(&said("real.arrow", "ARROW1"), &["real.arrow", "cut short"]);
}

#[test]
fn tables_that_cannot_be_compared() {
    let bench = Workbench::new();
    bench.file("real.csv", "x,age,level\n1,2,low\n2,3,high\n");
    bench.file("synthetic.csv", small(50, 1));
    says(
        &failure(&bench, &["evaluate", "real.csv", "synthetic.csv"]),
        &["only in the real table: column 2", "only in the synthetic table: column 2"],
    );
    bench.file("real.csv", format!("x,k,level\n{MARK},2,low\n"));
    says(&failure(&bench, &["evaluate", "real.csv", "synthetic.csv"]), &["1 row;", "at least 2"]);
}

#[test]
fn schemas_that_do_not_fit() {
    let bench = Workbench::new();
    bench.file("real.csv", format!("x,k,level\n1,2,low\n2,3,{MARK}\n"));
    let schema = |level: &str, key: &str| {
        format!(
            "version = 1\n[[column]]\nname = \"x\"\n{key} = \"float\"\n[[column]]\nname = \"k\"\ntype = \"integer\"\n\
             [[column]]\nname = \"level\"\ntype = \"nominal\"\nlevels = [\"low\", \"{level}\"]\n"
        )
    };
    let evaluate = ["evaluate", "real.csv", "real.csv", "--schema", "schema.toml"];
    bench.file("schema.toml", schema("high", "type"));
    says(&failure(&bench, &evaluate), &["row 2", "`level`"]);
    bench.file("schema.toml", schema("high", "tipe"));
    says(&failure(&bench, &evaluate), &["schema.toml", "tipe", "`type`"]);
    bench.file("schema.toml", "version = 1\n[[column]]\nname = \"x\"\ntype = \"floot\"\n");
    says(&failure(&bench, &evaluate), &["floot", "`float`"]);
    bench.file("schema.toml", "version = 1\n[[column]\n");
    says(&failure(&bench, &evaluate), &["schema.toml", "line 2"]);
    bench.file("schema.toml", "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n");
    says(&failure(&bench, &evaluate), &["columns 2, 3 of the file"]);
}

#[test]
fn garbage_in_a_column_of_numbers() {
    let bench = Workbench::new();
    let mut text = "x\n".to_owned();
    for row in 0..200 {
        text += &if row == 150 { format!("{MARK}%\n") } else { format!("{row}.5\n") };
    }
    bench.file("table.csv", text);
    says(
        &failure(&bench, &["schema", "table.csv", "--out", "schema.toml"]),
        &["row 151", "column 1", "number"],
    );
}

#[test]
fn a_truncated_parquet_file() {
    let bench = Workbench::new();
    bench.file("synthetic.csv", small(50, 1));
    let whole = std::fs::read(super::kept("crates/indistinct-cli/tests/it/small.parquet")).unwrap();
    bench.file("whole.parquet", &whole);
    bench.done(&["evaluate", "whole.parquet", "synthetic.csv", "--null", "none"]);
    for length in [whole.len() - 1, whole.len() / 2, 8] {
        bench.file("real.parquet", &whole[..length]);
        says(&failure(&bench, &["evaluate", "real.parquet", "synthetic.csv"]), &["cut short"]);
    }
}

#[test]
fn wrong_usage_has_exit_code_2() {
    let bench = Workbench::new();
    bench.file("t.csv", small(50, 0));
    for arguments in [
        &["evaluate", "t.csv"][..],
        &["evaluate", "t.csv", "t.csv", "--depth", "31"],
        &["evaluate", "t.csv", "t.csv", "--cp", "nan"],
        &["evaluate", "t.csv", "t.csv", "--minbucket", "0"],
        &["evaluate", "t.csv", "t.csv", "--discriminator", "oracle"],
        &["evaluate", "t.csv", "t.csv", "--discriminator", "logistic", "--cp", "0.1"],
        &["evaluate", "t.csv", "t.csv", "--interactions"],
        &["evaluate", "t.csv", "t.csv", "--discriminator", "optimal", "--depth", "4"],
        &["evaluate", "t.csv", "t.csv", "--discriminator", "optimal", "--depth", "3", "--thresholds", "all"],
        &["evaluate", "t.csv", "t.csv", "--null", "analytic"],
        &["evaluate", "t.csv", "t.csv", "--replicates", "1"],
        &["evaluate", "t.csv", "t.csv", "--threads", "0"],
        &["evaluate", "-", "-"],
        &["schema", "t.csv", "--force"],
        &["nonsense"],
    ] {
        let output = bench.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
        assert!(!stderr(&output).is_empty());
    }
}
