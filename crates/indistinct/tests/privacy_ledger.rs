//! Ledgers: what they allow, and that no kill, cut or edit goes unseen at the cost of privacy.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use indistinct::privacy::ledger::{Append, Ledger, LedgerError, Opening, Request};
use indistinct::privacy::{Condition, Delta, Epsilon, Guarantee};
use proptest::prelude::*;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn opening(schema: Option<&str>) -> Opening {
    Opening {
        time: "2026-11-15T12:00:00Z".into(),
        id: Some("patients".into()),
        epsilon: epsilon("1"),
        delta: "0".parse().unwrap(),
        schema: schema.map(str::to_owned),
    }
}

fn request(epsilon: Epsilon) -> Request<'static> {
    promising(Guarantee::Pure { epsilon })
}

/// Guarantees of tests are few: that they stay is no matter.
fn promising(guarantee: Guarantee) -> Request<'static> {
    Request {
        time: "2026-11-15T13:00:00Z",
        guarantee: Box::leak(Box::new(guarantee)),
        accept_conditional: false,
        what: "synth \"a\"\nto release",
        schema: "5f2a",
        id: None,
    }
}

/// What the keeper of the file does with an append, killed after `bytes` of all that is written.
fn write(text: &str, append: &Append, mut bytes: usize) -> String {
    let mut file = text.as_bytes().to_vec();
    let header_at = append.header_at as usize;
    let header = |file: &mut Vec<u8>, header: &str, bytes: usize| {
        let written = bytes.min(header.len());
        file[header_at..header_at + written].copy_from_slice(&header.as_bytes()[..written]);
        bytes - written
    };
    if let Some(repair) = &append.repair {
        bytes = header(&mut file, repair, bytes);
    }
    if bytes > 0 {
        file.truncate(append.keep as usize);
        file.extend(append.text.bytes().take(bytes));
        header(&mut file, &append.header, bytes.saturating_sub(append.text.len()));
    }
    String::from_utf8(file).unwrap()
}

/// Not killed.
const ALL: usize = usize::MAX;

fn charge(text: &str, amount: &str) -> String {
    let append = Ledger::parse(text).unwrap().charge(&request(epsilon(amount))).unwrap();
    write(text, &append, ALL)
}

fn three_charges() -> String {
    let text = Ledger::open_text(&opening(None)).unwrap();
    ["0.1", "0.2", "0.3"].iter().fold(text, |text, amount| charge(&text, amount))
}

#[test]
fn charges_add_up_to_the_budget_exactly() {
    let text = charge(&three_charges(), "0.4");
    let mut ledger = Ledger::parse(&text).unwrap();
    assert_eq!((ledger.spent(), ledger.remaining()), (epsilon("1"), Epsilon::ZERO));
    assert_eq!(ledger.entries(), 5);
    assert_eq!(ledger.postings()[1].what, "synth \"a\"\nto release");
    let refused = ledger.charge(&request(epsilon("0.000000000001"))).unwrap_err();
    assert_eq!(refused, LedgerError::Exhausted { asked: epsilon("0.000000000001"), left: Epsilon::ZERO });
    assert!(refused.is_refusal() && !refused.advice().is_empty());
    assert_eq!(ledger, Ledger::parse(&text).unwrap(), "a refusal changed the ledger");
    assert_eq!(ledger.charge(&request(Epsilon::ZERO)), Err(LedgerError::Nothing));
}

#[test]
fn it_reads_like_a_ledger() {
    let text = three_charges();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("# indistinct privacy ledger"));
    assert_eq!(lines[1], format!("# entries 000004 head {}", Ledger::parse(&text).unwrap().head()));
    assert!(
        lines[2].starts_with(r#"{"ledger":1,"time":"2026-11-15T12:00:00Z","id":"patients","epsilon":1.0,"#)
    );
    assert!(
        lines[3]
            .starts_with(r#"{"time":"2026-11-15T13:00:00Z","epsilon":0.1,"what":"synth \"a\"\nto release","#)
    );
    assert!(lines[0].len() + lines[1].len() + 2 <= 512, "the header must lie in the first sector");
    assert!(lines[2..].iter().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
}

#[test]
fn charging_in_memory_and_reading_back_agree() {
    let text = Ledger::open_text(&opening(None)).unwrap();
    let mut ledger = Ledger::parse(&text).unwrap();
    let text = write(&text, &ledger.charge(&request(epsilon("0.25"))).unwrap(), ALL);
    let text = write(&text, &ledger.charge(&request(epsilon("0.5"))).unwrap(), ALL);
    assert_eq!(Ledger::parse(&text).unwrap(), ledger);
}

#[test]
fn it_belongs_to_one_table() {
    let other_schema = Request { schema: "other", ..request(epsilon("0.1")) };
    let other_id = Request { id: Some("staff"), ..request(epsilon("0.1")) };
    let same_id = Request { id: Some("patients"), ..request(epsilon("0.1")) };
    let declared = Ledger::open_text(&opening(Some("5f2a"))).unwrap();
    let charged = charge(&Ledger::open_text(&opening(None)).unwrap(), "0.1");
    for text in [declared, charged] {
        let mut ledger = Ledger::parse(&text).unwrap();
        assert_eq!(ledger.charge(&other_schema), Err(LedgerError::AnotherTable));
        assert_eq!(ledger.charge(&other_id), Err(LedgerError::AnotherTable));
        assert!(ledger.charge(&same_id).is_ok());
    }
}

#[test]
fn a_name_is_compared_or_refused_never_ignored() {
    let unnamed = Ledger::open_text(&Opening { id: None, ..opening(None) }).unwrap();
    let mut ledger = Ledger::parse(&unnamed).unwrap();
    let asked = Request { id: Some("patients"), ..request(epsilon("0.1")) };
    let error = ledger.charge(&asked).unwrap_err();
    assert_eq!(error, LedgerError::NoName);
    assert!(error.is_refusal() && !error.lacks_guarantee() && error.advice().contains("--ledger-id"));
    assert!(ledger.charge(&request(epsilon("0.1"))).is_ok());
}

#[test]
fn only_what_has_a_guarantee_is_added_up() {
    let text = Ledger::open_text(&opening(None)).unwrap();
    let refused = |request: Request<'_>| {
        let mut ledger = Ledger::parse(&text).unwrap();
        let error = ledger.charge(&request).unwrap_err();
        assert!(error.is_refusal() && error.lacks_guarantee() && !error.advice().is_empty(), "{error}");
        assert_eq!(ledger, Ledger::parse(&text).unwrap(), "a refusal changed the ledger");
        error.to_string()
    };
    let pure = || Guarantee::Pure { epsilon: epsilon("0.1") };
    let seeded = refused(promising(pure().seeded()));
    assert!(seeded.contains("none, because seeded"), "{seeded}");
    assert!(
        refused(promising(Guarantee::AtStationarity { epsilon: epsilon("0.1") })).contains("at-stationarity")
    );
    let conditional = promising(pure().provided(&[Condition::DraftedSchema]));
    assert!(refused(conditional).contains("the schema was drafted from these rows"));

    // Accepted, it is told and comes back; others are written as they ever were.
    let mut ledger = Ledger::parse(&text).unwrap();
    let append = ledger.charge(&Request { accept_conditional: true, ..conditional }).unwrap();
    let charged = write(&text, &append, ALL);
    let read = Ledger::parse(&charged).unwrap();
    assert_eq!(read, ledger);
    assert_eq!(read.postings()[0].provided, [Condition::DraftedSchema.text()]);
    let append = ledger.charge(&Request { accept_conditional: true, ..request(epsilon("0.1")) }).unwrap();
    assert!(!append.text.contains("provided"));
}

#[test]
fn killed_at_any_byte_no_released_charge_is_forgotten() {
    let before = three_charges();
    let append = Ledger::parse(&before).unwrap().charge(&request(epsilon("0.15"))).unwrap();
    // Killed while the line is written: nothing was released for it.
    for written in 0..=append.text.len() {
        let torn = write(&before, &append, written);
        let ledger = Ledger::parse(&torn).unwrap();
        // Whole but for the end of its line, it is counted, on the safe side.
        let whole = written >= append.text.len() - 1;
        assert_eq!(ledger.spent(), epsilon(if whole { "0.75" } else { "0.6" }), "after {written} bytes");
        // The next run goes on from there, and sees all of it.
        let after = charge(&torn, "0.25");
        assert_eq!(Ledger::parse(&after).unwrap().spent(), epsilon(if whole { "1" } else { "0.85" }));
    }
    // Killed between line and header, in the header, and again when the next run repairs that: the line counts.
    for written in 0..=append.header.len() {
        let uncounted = write(&before, &append, append.text.len() + written);
        assert_eq!(Ledger::parse(&uncounted).unwrap().spent(), epsilon("0.75"), "after {written} bytes");
        let next = Ledger::parse(&uncounted).unwrap().charge(&request(epsilon("0.25"))).unwrap();
        for repaired in 0..=next.repair.as_ref().map_or(0, String::len) {
            let again = write(&uncounted, &next, repaired);
            assert_eq!(Ledger::parse(&again).unwrap().spent(), epsilon("0.75"));
            assert_eq!(Ledger::parse(&charge(&again, "0.25")).unwrap().spent(), epsilon("1"));
        }
    }
    // Nothing may be released before the header is written, and from then on no cut goes unseen.
    let after = write(&before, &append, ALL);
    for length in 0..after.len() - 1 {
        assert!(Ledger::parse(&after[..length]).is_err(), "cut to {length} of {} bytes", after.len());
    }
    // Without the last end of line everything is still there.
    assert_eq!(Ledger::parse(&after[..after.len() - 1]).unwrap().spent(), epsilon("0.75"));
}

#[test]
fn lines_cannot_be_removed_moved_or_repeated() {
    let text = three_charges();
    let lines: Vec<&str> = text.lines().collect();
    let join = |lines: &[&str]| lines.join("\n") + "\n";
    for removed in 0..lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(removed);
        assert!(Ledger::parse(&join(&fewer)).is_err(), "line {removed} was removed");
        let mut more = lines.clone();
        more.insert(removed, lines[removed]);
        assert!(Ledger::parse(&join(&more)).is_err(), "line {removed} was repeated");
    }
    let mut moved = lines.clone();
    moved.swap(3, 4);
    assert_eq!(Ledger::parse(&join(&moved)), Err(LedgerError::Tampered { entry: 2 }));
    let cut = join(&lines[..5]);
    assert_eq!(Ledger::parse(&cut), Err(LedgerError::Truncated { counted: 4, found: 3 }));
    // An old header with two lines beyond it was not left by any kill.
    let old_header = Ledger::open_text(&opening(None)).unwrap().lines().nth(1).unwrap().to_owned();
    let mut rolled_back = lines.clone();
    rolled_back[1] = &old_header;
    assert_eq!(Ledger::parse(&join(&rolled_back)), Err(LedgerError::Header));
}

#[test]
fn what_is_no_ledger_is_said_so() {
    for text in ["", "\n", "a,b\n1,2\n", "# indistinct privacy ledger", "# other\n# entries 000001 head x\n"]
    {
        let error = Ledger::parse(text).unwrap_err();
        assert_eq!(error, LedgerError::NotALedger, "{text:?}");
        assert!(!error.is_refusal());
    }
    let edited = three_charges().replacen("sealed", "signed", 1);
    assert_eq!(Ledger::parse(&edited), Err(LedgerError::Newer));
}

proptest! {
    #[test]
    fn no_byte_can_be_changed(place in any::<prop::sample::Index>(), to in prop::sample::select(
        vec![b'0', b'1', b'9', b'a', b'"', b'}', b' ', b'\n', b'.', b'e'])) {
        let text = three_charges();
        let mut bytes = text.clone().into_bytes();
        let place = place.index(bytes.len());
        prop_assume!(bytes[place] != to && place < bytes.len() - 1);
        bytes[place] = to;
        match Ledger::parse(&String::from_utf8(bytes).unwrap()) {
            Err(_) => {}
            // The end of the second line may be as it was before the last charge: a killed run could have left that.
            Ok(read) => {
                let second = text.match_indices('\n').nth(1).unwrap().0;
                prop_assert!(place < second && read.spent() == Ledger::parse(&text).unwrap().spent());
            }
        }
    }

    #[test]
    fn never_more_than_the_budget(runs in prop::collection::vec((1u64..400_000, prop::option::of(0usize..600)), 1..12)) {
        let mut text = Ledger::open_text(&opening(None)).unwrap();
        let mut released = Epsilon::ZERO;
        for (millionths, killed) in runs {
            let amount = epsilon("1").share(millionths, 1_000_000);
            let mut ledger = Ledger::parse(&text).unwrap();
            let left = ledger.remaining();
            match ledger.charge(&request(amount)) {
                Err(error) => prop_assert_eq!(error, LedgerError::Exhausted { asked: amount, left }),
                Ok(append) => {
                    text = write(&text, &append, killed.unwrap_or(ALL));
                    // What was killed releases nothing.
                    released = released.saturating_add(if killed.is_none() { amount } else { Epsilon::ZERO });
                }
            }
            let read = Ledger::parse(&text).unwrap();
            prop_assert!(released <= read.spent() && read.spent() <= epsilon("1"));
        }
    }
}

#[test]
fn deltas_add_up_and_are_refused_like_epsilons() {
    let delta = |text: &str| -> Delta { text.parse().unwrap() };
    let with = |epsilon_of: &str, delta_of: &str| {
        let (epsilon, delta) = (epsilon(epsilon_of), delta(delta_of));
        promising(if delta.is_zero() {
            Guarantee::Pure { epsilon }
        } else {
            Guarantee::Approximate { epsilon, delta }
        })
    };
    let text = Ledger::open_text(&Opening { delta: delta("2e-6"), ..opening(None) }).unwrap();
    let mut ledger = Ledger::parse(&text).unwrap();
    let append = ledger.charge(&with("0.1", "1.5e-6")).unwrap();
    let text = write(&text, &append, ALL);
    assert!(text.contains("\"delta\":1.5e-6") || text.contains("\"delta\":0.0000015"), "{text}");
    let mut ledger = Ledger::parse(&text).unwrap();
    assert_eq!((ledger.spent_delta(), ledger.remaining_delta()), (delta("1.5e-6"), delta("5e-7")));
    let refused = ledger.charge(&with("0.1", "6e-7")).unwrap_err();
    assert_eq!(refused, LedgerError::ExhaustedDelta { asked: delta("6e-7"), left: delta("5e-7") });
    assert!(refused.is_refusal() && refused.advice().contains("--delta"));
    assert_eq!(ledger, Ledger::parse(&text).unwrap(), "a refusal changed the ledger");
    // Pure charges still fit, and epsilon is refused as ever.
    let append = ledger.charge(&with("0.1", "5e-7")).unwrap();
    let text = write(&text, &append, ALL);
    let append = Ledger::parse(&text).unwrap().charge(&with("0.1", "0")).unwrap();
    assert!(!append.text.contains("delta"), "pure charges are written as before");
    let too_much = Ledger::parse(&text).unwrap().charge(&with("0.9", "0")).unwrap_err();
    assert!(matches!(too_much, LedgerError::Exhausted { .. }));
    // A ledger that was opened without a delta allows none.
    let pure = Ledger::open_text(&opening(None)).unwrap();
    let refused = Ledger::parse(&pure).unwrap().charge(&with("0.1", "1e-15")).unwrap_err();
    assert!(matches!(refused, LedgerError::ExhaustedDelta { .. }));
}
