//! Schema files: what is read, what is written, and what is said of mistakes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use indistinct::table::{ColumnSchema, ColumnType, Family, LookupValue, Schema};
use indistinct_io::{SchemaFingerprint, parse_schema, write_schema};
use proptest::prelude::*;

const FULL: &str = r#"version = 1
missing = ["", "NA", "-"]

[[column]]
name = "age"
type = "integer"
missing = ["-8", -9]

[[column]]
name = "weight"
type = "float"

[[column]]
name = "sex"
type = "nominal"
levels = ["F", "M"]

[[column]]
name = "grade"
type = "ordered"
levels = ["low", "high"]

[[column]]
name = "smoker"
type = "boolean"
false = "no"
true = "yes"

[[column]]
name = "born"
type = "date"
format = "%d/%m/%Y"

[[column]]
name = "seen"
type = "datetime"

[[column]]
name = "id"
type = "identifier"
"#;

#[test]
fn a_full_schema_is_read_and_survives_writing() {
    let schema = parse_schema(FULL).unwrap();
    assert_eq!(schema.missing(), ["", "NA", "-"]);
    assert_eq!(schema.columns().len(), 8);
    assert_eq!(schema.columns()[0].missing(), ["-8", "-9"]);
    assert_eq!(schema.columns()[5].kind(), &ColumnType::Date { format: "%d/%m/%Y".to_owned() });
    let format = "%Y-%m-%dT%H:%M:%S%.f".to_owned();
    assert_eq!(schema.columns()[6].kind(), &ColumnType::DateTime { format });
    assert_eq!(parse_schema(&write_schema(&schema)).unwrap(), schema);
}

const MORE: &str = r#"version = 1

[[column]]
name = "age"
type = "integer"
minimum = 0
maximum = 120
predictors = []

[[column]]
name = "income"
type = "float"
decimals = 2
atoms = [0, -8.5]
minimum = 0.01
predictors = ["age", "in work"]
family = "skewed"

[[column]]
name = "in work"
type = "boolean"
predictors = ["age"]

[[column]]
name = "begun"
type = "date"
format = "%d/%m/%y"
atoms = ["01/01/70", 1900-01-01]
minimum = 1930-02-03
maximum = "2030-12-31"
family = "histogram"

[[column]]
name = "seen"
type = "datetime"
minimum = 2001-02-03T04:05:06.5
maximum = "2002-02-03"

[[constraint]]
rule = "income <= 0 when not `in work`"
because = "only work is paid"

[[constraint]]
rule = "begun <= '2020-01-01' or income > 0"
"#;

#[test]
fn more_of_a_column_is_read_and_survives_writing() {
    let schema = parse_schema(MORE).unwrap();
    let [age, income, work, begun, seen] = schema.columns() else { panic!("five columns") };
    assert_eq!((age.minimum(), age.maximum(), age.predictors()), (Some(0.0), Some(120.0), Some(&[][..])));
    assert_eq!((income.decimals(), income.atoms()), (Some(2), &[0.0, -8.5][..]));
    assert_eq!(
        (income.minimum(), income.maximum(), income.family()),
        (Some(0.01), None, Some(Family::Skewed))
    );
    assert_eq!(income.predictors().unwrap(), ["age", "in work"]);
    assert_eq!((work.predictors().unwrap().len(), work.family(), work.decimals()), (1, None, None));
    assert_eq!(begun.predictors(), None, "nothing is said of them");
    // Days since 1970; a date that TOML writes is not read by the column's format.
    assert_eq!(begun.atoms(), [0.0, -25_567.0]);
    assert_eq!((begun.minimum(), begun.maximum()), (Some(-14_577.0), Some(22_279.0)));
    let day = 86_400e6;
    assert_eq!(seen.minimum(), Some(11_356.0 * day + (4.0 * 3600.0 + 5.0 * 60.0 + 6.5) * 1e6));
    assert_eq!(seen.maximum(), Some(11_721.0 * day));
    let [paid, early] = schema.constraints() else { panic!("two constraints") };
    assert_eq!((paid.rule(), paid.because()), ("income <= 0 when not `in work`", Some("only work is paid")));
    assert_eq!((early.because(), early.condition().columns()), (None, vec![3, 1]));
    let written = write_schema(&schema);
    assert_eq!(parse_schema(&written).unwrap(), schema, "{written}");
}

const DERIVED: &str = r#"version = 1

[[column]]
name = "double"
type = "float"
decimals = 1
missing = ["none"]
derive = "2 * x"

[[column]]
name = "x"
type = "float"
focus = 0.25

[[column]]
name = "level"
type = "nominal"
levels = ["a", "b c", "\"d\"", "4"]
focus = 1

[[column]]
name = "looked up"
type = "float"
derive = "lookup(level)"
[column.lookup]
a = 1
"b c" = -2.5e-9
'"d"' = "NA"
4 = 0

[[column]]
name = "since"
type = "date"
derive = "lookup(level)"
lookup = {a = 2001-02-03, "b c" = "2002-02-03", '"d"' = "NA", 4 = "NA"}

[[column]]
name = "known"
type = "boolean"
derive = "lookup(level)"
lookup = {a = true, "b c" = false, '"d"' = true, 4 = "NA"}

[[constraint]]
rule = "double > `looked up`"
"#;

#[test]
fn derived_columns_and_focus_are_read_and_survive_writing() {
    let schema = parse_schema(DERIVED).unwrap();
    let [double, x, level, looked_up, since, _] = schema.columns() else { panic!("six columns") };
    assert_eq!((x.focus(), level.declared_focus(), double.declared_focus()), (0.25, Some(1.0), None));
    assert_eq!(double.derive().unwrap().expression, "2 * x");
    let lookup = &looked_up.derive().unwrap().lookup;
    assert_eq!((lookup.len(), &lookup["b c"]), (4, &LookupValue::Number(-2.5e-9)));
    assert_eq!(since.derive().unwrap().lookup["a"], LookupValue::Text("2001-02-03".to_owned()));
    let names: Vec<&str> = schema.derived().map(ColumnSchema::name).collect();
    assert_eq!(names, ["double", "looked up", "since", "known"]);
    let written = write_schema(&schema);
    assert_eq!(parse_schema(&written).unwrap(), schema, "{written}");
    // Derived columns are no part of the table that a ledger is about.
    let measured =
        parse_schema(&written[..written.find("[[constraint]]").unwrap()]).unwrap().measured().unwrap();
    assert_eq!(SchemaFingerprint::of(&schema), SchemaFingerprint::of(&measured));
}

#[test]
fn mistakes_of_derived_columns_are_located() {
    let with = |lines: &str| {
        format!(
            "version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\n[[column]]\nname = \"y\"\n{lines}\n"
        )
    };
    for (lines, line, what, advice) in [
        ("type = \"float\"\nderive = 3", 8, "`derive` must be a string", "quotes"),
        (
            "type = \"float\"\nderive = \"x * z\"",
            8,
            "column `y`, derive, at character 5: there is no column `z`",
            "x",
        ),
        ("type = \"float\"\nderive = \"y\"", 8, "`y` depends on `y`", "then measured"),
        ("type = \"float\"\natoms = [1]\nderive = \"x\"", 8, "`atoms` means nothing", "computed from"),
        ("type = \"identifier\"\nderive = \"x\"", 8, "does not belong to type `identifier`", "remove"),
        ("type = \"float\"\nlookup = {a = 1}", 8, "has a lookup, and is not derived", "derive ="),
        ("type = \"float\"\nderive = \"x\"\nlookup = 3", 9, "must be a table", "[column.lookup]"),
        ("type = \"float\"\nderive = \"x\"\nlookup = {}", 9, "is empty", "[column.lookup]"),
        ("type = \"float\"\nderive = \"x\"\nlookup = {a = []}", 9, "of `a` is not a value", "number"),
        ("type = \"float\"\nfocus = 1000", 8, "focus must be a number from 0.1 to 100", "leave it out"),
        ("type = \"float\"\nfocus = true", 8, "`focus` must be a number", "focus = 3"),
    ] {
        let (message, hint) = mistake(&with(lines));
        assert!(message.starts_with(&format!("schema, line {line}: ")), "{lines}: {message}");
        assert!(message.contains(what), "{message} does not contain {what}");
        assert!(hint.contains(advice), "{hint} does not contain {advice}");
    }
    let (message, _) = mistake("version = 1\n[[column]]\nname = \"x\"\ntype = \"float\"\nderive = \"1\"\n");
    assert!(message.contains("all columns of the schema are derived"), "{message}");
}

#[test]
fn missing_codes_have_a_default() {
    let schema = parse_schema("version = 1\n[[column]]\nname = 'x'\ntype = 'float'\n").unwrap();
    assert_eq!(schema.missing(), ["", "NA", "NaN", "?"]);
}

/// The text of the error and its advice.
fn mistake(text: &str) -> (String, String) {
    let error = parse_schema(text).unwrap_err();
    (error.to_string(), error.advice().to_owned())
}

#[test]
fn mistakes_are_located_and_explained() {
    let column = |lines: &str| format!("version = 1\n\n[[column]]\nname = \"x\"\n{lines}\n");
    for (text, line, what, advice) in [
        ("version = 1\nmising = []\n".to_owned(), 2, "no key `mising`", "`missing`"),
        (column("type = \"float\"\nlevel = []"), 6, "no key `level`", "`levels`"),
        (column("type = \"interger\""), 5, "no type `interger`", "`integer`"),
        (column("type = \"text\""), 5, "no type `text`", "nominal"),
        (
            column("type = \"float\"\nlevels = [\"a\"]"),
            6,
            "`levels` does not belong to type `float`",
            "remove",
        ),
        (column("type = \"nominal\""), 3, "without `levels`", "levels = ["),
        (column("type = \"nominal\"\nlevels = []"), 4, "at least one level", "list"),
        (column("type = \"nominal\"\nlevels = [\"a\", \"a\"]"), 4, "twice", "remove"),
        (column("type = \"nominal\"\nlevels = [\"NA\"]"), 4, "both as a value and as missing", "remove"),
        (column("type = \"nominal\"\nlevels = \"a\""), 6, "list of strings", "levels = ["),
        (column("type = \"boolean\"\ntrue = \"yes\""), 3, "one of `false` and `true`", "both"),
        (column("type = \"date\"\nformat = \"%Q\""), 6, "format", "strftime"),
        (column("type = \"date\"\nformat = \"%H:%M\""), 6, "format", "strftime"),
        (column("type = 3"), 5, "must be a string", "quotes"),
        (column(""), 3, "without `type`", "float"),
        ("version = 1\n[[column]]\ntype = \"float\"\n".to_owned(), 2, "without `name`", "name"),
        ("version = 2\n".to_owned(), 1, "version 1 only", "version = 1"),
        ("version = 1\n\nmissing = [\"a\n".to_owned(), 3, "TOML", "quotes"),
        ("version = 1\ncolumn = 3\n".to_owned(), 2, "list of columns", "[[column]]"),
        (column("type = \"float\"\n[[column]]\nname = \"x\"\ntype = \"float\""), 7, "twice", "remove"),
        (column("type = \"float\"\n[[column]]\nname = \"\"\ntype = \"float\""), 7, "empty name", "name"),
    ] {
        let (message, hint) = mistake(&text);
        assert!(message.starts_with(&format!("schema, line {line}: ")), "{message}\n{text}");
        assert!(message.contains(what), "{message} does not contain {what}");
        assert!(hint.contains(advice), "{hint} does not contain {advice}");
        assert!(!message.contains('\n') && !hint.contains('\n'));
    }
    assert!(mistake("missing = []").0.contains("no `version`"));
    assert!(mistake("version = 1").0.contains("no columns"));
}

#[test]
fn mistakes_in_what_is_said_of_a_column() {
    let column = |lines: &str| format!("version = 1\n\n[[column]]\nname = \"x\"\n{lines}\n");
    let float = |lines: &str| column(&format!("type = \"float\"\n{lines}"));
    for (text, line, what, advice) in [
        (float("decimal = 2"), 6, "no key `decimal`", "`decimals`"),
        (float("minimun = 2"), 6, "no key `minimun`", "`minimum`"),
        (float("decimals = -1"), 6, "not negative", "decimals = 2"),
        (float("decimals = \"2\""), 6, "whole number", "decimals = 2"),
        (float("decimals = 16"), 6, "at most 15", "fewer"),
        (
            column("type = \"integer\"\ndecimals = 2"),
            6,
            "`decimals` does not belong to type `integer`",
            "remove",
        ),
        (float("atoms = 0"), 6, "must be a list", "atoms = ["),
        (float("atoms = [\"0\"]"), 6, "must be a number", "without quotes"),
        (
            float("decimals = 1\natoms = [0.25]"),
            7,
            "0.25, declared in `atoms`, has more than 1 decimals",
            "hold",
        ),
        (float("atoms = [inf]"), 6, "not a finite number", "hold"),
        (float("atoms = [1, 1.0]"), 6, "is there twice", "hold"),
        (float("missing = [\"-8\"]\natoms = [-8]"), 7, "declared as missing too", "hold"),
        (column("type = \"integer\"\natoms = [0.5]"), 6, "not a whole number", "hold"),
        (column("type = \"integer\"\nmaximum = 9007199254740994"), 6, "too large", "hold"),
        (column("type = \"date\"\natoms = [0]"), 6, "must be a date", "2001-02-03"),
        (column("type = \"date\"\nminimum = \"2001-02-30\""), 6, "must be a date", "2001-02-03"),
        (column("type = \"datetime\"\nminimum = 12:00:00"), 6, "must be a date with a time", "2001-02-03T"),
        (
            column("type = \"nominal\"\nlevels = [\"a\"]\nminimum = \"a\""),
            7,
            "`minimum` does not belong to type `nominal`",
            "remove",
        ),
        (column("type = \"boolean\"\natoms = [0]"), 6, "`atoms` does not belong to type `boolean`", "remove"),
        (
            column("type = \"nominal\"\nlevels = [\"a\"]\nfamily = \"count\""),
            7,
            "`family` does not belong",
            "type",
        ),
        (column("type = \"identifier\"\nminimum = 0"), 6, "`minimum` does not belong", "remove"),
        (column("type = \"identifier\"\npredictors = []"), 6, "`predictors` does not belong", "remove"),
        (float("minimum = 3\nmaximum = 3"), 6, "not below the maximum", "exchange"),
        (float("minimum = 3\nmaximum = -3"), 6, "not below the maximum", "exchange"),
        (float("decimals = 0\nminimum = 0.5"), 7, "more than 0 decimals", "hold"),
        (float("family = \"nromal\""), 6, "no family `nromal`", "`normal`"),
        (float("family = \"gamma\""), 6, "no family `gamma`", "normal, skewed, count, histogram"),
        (float("predictors = \"y\""), 6, "list of strings", "predictors = ["),
        (float("predictors = [\"x\"]"), 6, "is the column itself", "remove"),
        (
            float("predictors = [\"agee\"]\n[[column]]\nname = \"age\"\ntype = \"integer\""),
            6,
            "`agee` is not a column",
            "`age`",
        ),
        (
            float("predictors = [\"y\"]\n[[column]]\nname = \"y\"\ntype = \"identifier\""),
            6,
            "identifier",
            "remove",
        ),
        (
            float("predictors = [\"y\", \"y\"]\n[[column]]\nname = \"y\"\ntype = \"float\""),
            6,
            "twice",
            "remove",
        ),
    ] {
        let (message, hint) = mistake(&text);
        assert!(message.starts_with(&format!("schema, line {line}: ")), "{message}\n{text}");
        assert!(message.contains(what), "{message} does not contain {what}");
        assert!(hint.contains(advice), "{hint} does not contain {advice}");
        assert!(!message.contains('\n') && !hint.contains('\n'));
    }
}

#[test]
fn predictors_in_a_circle_are_shown() {
    let column = |name: &str, predictor: &str| {
        format!("[[column]]\nname = \"{name}\"\ntype = \"float\"\npredictors = [\"{predictor}\"]\n")
    };
    let columns = [column("z", "a"), column("a", "b"), column("b", "c"), column("c", "a")].concat();
    let (message, hint) = mistake(&format!("version = 1\n{columns}"));
    assert_eq!(
        message,
        "schema, line 9: predictors go round in a circle: `a` depends on `b` depends on `c` depends on `a`"
    );
    assert!(hint.contains("remove one"), "{hint}");
}

#[test]
fn constraints_are_checked_when_they_are_read() {
    let with = |constraints: &str| {
        format!(
            "version = 1\n[[column]]\nname = \"a\"\ntype = \"float\"\nmaximum = 9\n[[column]]\nname = \"b\"\ntype = \"float\"\n\
             [[column]]\nname = \"id\"\ntype = \"identifier\"\n{constraints}"
        )
    };
    let rule = |rule: &str| format!("[[constraint]]\nrule = \"{rule}\"\n");
    for (text, line, what, advice) in [
        (rule("a <= c"), 13, "constraint 1, at character 6: there is no column `c`", "a, b"),
        (
            rule("a <= b") + &rule("a <"),
            15,
            "constraint 2, at character 4: the condition ends too early",
            "column",
        ),
        (rule("id == 'a'"), 13, "constraint 1, at character 1: column `id` is an identifier", "declare"),
        (
            rule("a < b") + &rule("b < 3") + &rule("b <= a"),
            17,
            "constraints 1 and 3 cannot all be satisfied",
            "correct",
        ),
        (rule("a > 9"), 13, "constraint 1 cannot be satisfied: no value of `a` is left", "limits"),
        ("[[constraint]]\nbecause = \"so\"\n".to_owned(), 12, "a constraint without `rule`", "rule ="),
        ("[[constraint]]\nrul = \"a < b\"\n".to_owned(), 13, "a constraint has no key `rul`", "`rule`"),
        ("[[constraint]]\nrule = 3\n".to_owned(), 13, "`rule` must be a string", "quotes"),
        ("[constraint]\nrule = \"a < b\"\n".to_owned(), 12, "list of constraints", "[[constraint]]"),
    ] {
        let (message, hint) = mistake(&with(&text));
        assert!(message.starts_with(&format!("schema, line {line}: ")), "{message}");
        assert!(message.contains(what), "{message} does not contain {what}");
        assert!(hint.contains(advice), "{hint} does not contain {advice}");
    }
}

#[test]
fn a_file_is_named() {
    let error = indistinct_io::read_schema(std::path::Path::new("nowhere/schema.toml")).unwrap_err();
    assert_eq!(error.to_string(), "nowhere/schema.toml: there is no such file");
}

proptest! {
    #[test]
    fn any_spelling_survives(name in "\\PC{1,8}|[\"\\\\\n\t\u{1}\u{7f}]{1,4}", levels in prop::collection::btree_set(".{1,6}", 1..5)) {
        let levels: Vec<String> = levels.into_iter().collect();
        let column = ColumnSchema::new(&name, ColumnType::Nominal { levels: levels.into() });
        if let Ok(schema) = Schema::new(vec![String::new()], vec![column]) {
            prop_assert_eq!(parse_schema(&write_schema(&schema)).unwrap(), schema);
        }
    }

    #[test]
    fn any_numbers_survive(
        atoms in prop::collection::btree_set(-1_000_000_i64..1_000_000, 0..4),
        decimals in prop::option::of(0_u32..7),
        low in -1e9..1e9_f64,
        kind in 0..3,
        family in prop::option::of(prop::sample::select(Family::ALL.to_vec())),
    ) {
        let scale = 10_f64.powi(decimals.unwrap_or(0) as i32);
        let (kind, decimals, scale) = match kind {
            0 => (ColumnType::Float, decimals, scale),
            1 => (ColumnType::Integer, None, 1.0),
            _ => (ColumnType::DateTime { format: "%d/%m/%y %H:%M".to_owned() }, None, 1.0),
        };
        let low = (low * scale).round() / scale;
        let column = ColumnSchema::new("x", kind)
            .with_decimals(decimals)
            .with_atoms(atoms.into_iter().map(|atom| atom as f64 / scale).collect())
            .with_limits(Some(low), Some(low + 1.0).filter(|_| scale == 1.0))
            .with_family(family);
        let schema = Schema::new(vec![String::new()], vec![column]).unwrap();
        prop_assert_eq!(parse_schema(&write_schema(&schema)).unwrap(), schema);
    }
}
