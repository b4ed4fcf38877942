//! Ledgers: what they allow, and that no kill, cut or edit goes unseen at the cost of privacy.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

use indistinct::privacy::ledger::{Append, Ledger, LedgerError, Opening, Request};
use indistinct::privacy::{Delta, Epsilon, Guarantee, GuaranteeCondition, Neighbours, Rho};
use proptest::prelude::*;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn opening() -> Opening {
    Opening {
        time: "2026-11-15T12:00:00Z".into(),
        id: Some("patients".into()),
        epsilon: epsilon("1"),
        delta: "0".parse().unwrap(),
        neighbours: Neighbours::Substitute,
    }
}

fn request(epsilon: Epsilon) -> Request<'static> {
    promising(Guarantee::Pure { epsilon })
}

/// Guarantees of tests are few: that they stay is no matter.
fn promising(guarantee: Guarantee) -> Request<'static> {
    let rho = guarantee.epsilon().map(|epsilon| Rho::largest(epsilon, guarantee.delta()));
    Request {
        time: "2026-11-15T13:00:00Z",
        rho: rho.filter(|_| !guarantee.delta().is_zero()),
        neighbours: Neighbours::Substitute,
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
    let text = Ledger::open_text(&opening()).unwrap();
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
    let asked = epsilon("0.000000000001");
    assert_eq!(refused, LedgerError::Exhausted { asked, left: Epsilon::ZERO, delta: Delta::ZERO });
    assert!(refused.is_refusal() && !refused.advice().to_string().is_empty());
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
        lines[2].starts_with(r#"{"ledger":2,"time":"2026-11-15T12:00:00Z","id":"patients","epsilon":1.0,"#)
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
    let text = Ledger::open_text(&opening()).unwrap();
    let mut ledger = Ledger::parse(&text).unwrap();
    let text = write(&text, &ledger.charge(&request(epsilon("0.25"))).unwrap(), ALL);
    let text = write(&text, &ledger.charge(&request(epsilon("0.5"))).unwrap(), ALL);
    assert_eq!(Ledger::parse(&text).unwrap(), ledger);
}

#[test]
fn it_is_for_one_data_set_whatever_columns_are_released() {
    let other_columns = Request { schema: "other", ..request(epsilon("0.1")) };
    let other_id = Request { id: Some("staff"), ..request(epsilon("0.1")) };
    let same_id = Request { id: Some("patients"), ..request(epsilon("0.1")) };
    let mut ledger = Ledger::parse(&three_charges()).unwrap();
    let refused = ledger.charge(&other_id).unwrap_err();
    assert_eq!(refused.to_string(), "the ledger is of `patients`, and ledger_id asks for `staff`");
    assert!(refused.is_refusal() && !refused.lacks_guarantee() && !refused.advice().to_string().is_empty());
    assert!(ledger.charge(&same_id).is_ok() && ledger.charge(&other_columns).is_ok());
    assert_eq!(ledger.spent(), epsilon("0.8"));
    assert_eq!(ledger.postings().last().unwrap().schema, "other");
}

#[test]
fn a_name_is_compared_or_refused_never_ignored() {
    let unnamed = Ledger::open_text(&Opening { id: None, ..opening() }).unwrap();
    let mut ledger = Ledger::parse(&unnamed).unwrap();
    let asked = Request { id: Some("patients"), ..request(epsilon("0.1")) };
    let error = ledger.charge(&asked).unwrap_err();
    assert_eq!(error, LedgerError::NoName);
    assert!(
        error.is_refusal()
            && !error.lacks_guarantee()
            && error.advice().to_string().contains("leave ledger_id out")
    );
    assert!(ledger.charge(&request(epsilon("0.1"))).is_ok());
}

#[test]
fn only_what_has_a_guarantee_is_added_up() {
    let text = Ledger::open_text(&opening()).unwrap();
    let refused = |request: Request<'_>| {
        let mut ledger = Ledger::parse(&text).unwrap();
        let error = ledger.charge(&request).unwrap_err();
        assert!(
            error.is_refusal() && error.lacks_guarantee() && !error.advice().to_string().is_empty(),
            "{error}"
        );
        assert_eq!(ledger, Ledger::parse(&text).unwrap(), "a refusal changed the ledger");
        error.to_string()
    };
    let pure = || Guarantee::Pure { epsilon: epsilon("0.1") };
    let seeded = refused(promising(pure().seeded()));
    assert!(seeded.contains("none, because seeded"), "{seeded}");
    assert!(
        refused(promising(Guarantee::AtStationarity { epsilon: epsilon("0.1") })).contains("at-stationarity")
    );
    let conditional = promising(pure().provided(&[GuaranteeCondition::DraftedSchema]));
    assert!(refused(conditional).contains("the schema was drafted from these rows"));

    // Accepted, it is told and comes back; others are written as they ever were.
    let mut ledger = Ledger::parse(&text).unwrap();
    let append = ledger.charge(&Request { accept_conditional: true, ..conditional }).unwrap();
    let charged = write(&text, &append, ALL);
    let read = Ledger::parse(&charged).unwrap();
    assert_eq!(read, ledger);
    assert_eq!(read.postings()[0].provided, [GuaranteeCondition::DraftedSchema.text()]);
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
    let old_header = Ledger::open_text(&opening()).unwrap().lines().nth(1).unwrap().to_owned();
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
        let mut text = Ledger::open_text(&opening()).unwrap();
        let mut released = Epsilon::ZERO;
        for (millionths, killed) in runs {
            let amount = epsilon("1").share(millionths, 1_000_000);
            let mut ledger = Ledger::parse(&text).unwrap();
            let left = ledger.remaining();
            match ledger.charge(&request(amount)) {
                Err(error) => prop_assert_eq!(error, LedgerError::Exhausted { asked: amount, left, delta: Delta::ZERO }),
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

/// A release from a budget of epsilon and delta; pure if delta is zero.
fn with_delta(epsilon_of: &str, delta_of: &str) -> Request<'static> {
    let (epsilon, delta) = (epsilon(epsilon_of), delta(delta_of));
    promising(if delta.is_zero() {
        Guarantee::Pure { epsilon }
    } else {
        Guarantee::Approximate { epsilon, delta }
    })
}

fn delta(text: &str) -> Delta {
    text.parse().unwrap()
}

fn open(epsilon_of: &str, delta_of: &str, neighbours: Neighbours) -> Ledger {
    let opening = Opening { epsilon: epsilon(epsilon_of), delta: delta(delta_of), neighbours, ..opening() };
    Ledger::parse(&Ledger::open_text(&opening).unwrap()).unwrap()
}

#[test]
fn releases_with_a_delta_are_added_up_by_rho() {
    let text =
        Ledger::open_text(&Opening { epsilon: epsilon("1.03"), delta: delta("3e-6"), ..opening() }).unwrap();
    let mut ledger = Ledger::parse(&text).unwrap();
    let text = (0..3).fold(text, |text, _| {
        let append = ledger.charge(&with_delta("0.6", "1e-6")).unwrap();
        assert!(append.text.contains("\"delta\":1e-6,\"rho\":0.00"), "{}", append.text);
        write(&text, &append, ALL)
    });
    assert_eq!(Ledger::parse(&text).unwrap(), ledger);
    // Not epsilon 1.8: the golden value is in src/privacy/conversion.rs.
    let together = ledger.together();
    assert_eq!(together.delta, delta("3e-6"));
    assert!((together.epsilon.to_f64() - 1.021_430_415).abs() < 1e-6, "{together:?}");
    assert_eq!(ledger.spent(), together.epsilon);
    assert_eq!(
        ledger.account().rho(),
        Some(Rho::largest(epsilon("0.6"), delta("1e-6")))
            .map(|rho| { rho.saturating_add(rho).saturating_add(rho) })
    );
    // A fourth does not fit, and what is said to be left does.
    let refused = ledger.charge(&with_delta("0.6", "1e-6")).unwrap_err();
    let LedgerError::Exhausted { asked, left, delta: at } = refused else { panic!("{refused}") };
    assert_eq!((asked, at), (epsilon("0.6"), delta("1e-6")));
    assert!(refused.to_string().starts_with("the ledger has (0.1179, 0.000001) left"), "{refused}");
    assert_eq!(ledger, Ledger::parse(&text).unwrap(), "a refusal changed the ledger");
    assert!(ledger.clone().charge(&with_delta(&left.to_string(), "1e-6")).is_ok());
    let more = left.saturating_add(epsilon("0.000001"));
    assert!(ledger.charge(&with_delta(&more.to_string(), "1e-6")).is_err());
}

#[test]
fn one_release_may_take_all_of_a_total() {
    for (e, d) in [("1", "1e-6"), ("0.1", "1e-9"), ("8", "1e-5"), ("0.001", "1e-6"), ("3", "0")] {
        let mut ledger = open(e, d, Neighbours::Substitute);
        ledger.charge(&with_delta(e, d)).unwrap();
        // But for the rounding of its rho.
        let together = ledger.together();
        assert_eq!((ledger.spent(), delta(d)), (together.epsilon, together.delta), "({e}, {d})");
        assert!(together.epsilon <= epsilon(e) && together.epsilon.to_f64() > epsilon(e).to_f64() - 1e-9);
        assert!(ledger.charge(&with_delta(e, d)).is_err());
    }
}

#[test]
fn pure_releases_and_others_share_a_total() {
    // As by adding up, in either order: a pure 1 and (1, 1e-6) are (2, 1e-6).
    for order in [["0", "1e-6"], ["1e-6", "0"]] {
        let mut ledger = open("2", "1e-6", Neighbours::Substitute);
        for delta in order {
            ledger.charge(&with_delta("1", delta)).unwrap();
        }
        assert_eq!((ledger.spent(), ledger.remaining()), (epsilon("2"), Epsilon::ZERO));
        assert!(ledger.charge(&with_delta("0.000001", "0")).is_err());
    }
    // Many small pure releases cost less than the sum of their epsilons.
    let mut ledger = open("1", "1e-6", Neighbours::Substitute);
    for _ in 0..500 {
        ledger.charge(&with_delta("0.005", "0")).unwrap();
    }
    assert!(ledger.spent() < epsilon("0.6"), "{}", ledger.spent());
}

#[test]
fn a_ledger_without_a_delta_takes_none() {
    let mut ledger = open("1", "0", Neighbours::Substitute);
    let refused = ledger.charge(&with_delta("0.1", "1e-15")).unwrap_err();
    assert_eq!(refused, LedgerError::NoDelta(delta("1e-15")));
    assert!(refused.is_refusal() && refused.advice().to_string().contains("leave delta out"));
    let append = ledger.charge(&with_delta("0.1", "0")).unwrap();
    assert!(!append.text.contains("delta") && !append.text.contains("rho"), "as before 0.2: {}", append.text);
    // A delta that no rho stands for cannot be added up.
    let mut ledger = open("1", "1e-6", Neighbours::Substitute);
    let refused = ledger.charge(&Request { rho: None, ..with_delta("0.1", "1e-6") }).unwrap_err();
    assert_eq!(refused, LedgerError::NoRho);
    assert!(refused.is_refusal() && refused.lacks_guarantee());
}

#[test]
fn a_ledger_has_one_relation_and_converts_or_refuses_the_other() {
    let (substitute, add_remove) = (Neighbours::Substitute, Neighbours::AddRemove);
    let of = |neighbours, request: Request<'static>| Request { neighbours, ..request };
    let mut ledger = open("1", "1e-6", add_remove);
    let refused = ledger.charge(&of(substitute, with_delta("0.1", "0"))).unwrap_err();
    assert_eq!(refused, LedgerError::OtherNeighbours);
    assert!(
        refused.is_refusal()
            && !refused.lacks_guarantee()
            && refused.advice().to_string().contains("add-remove")
    );
    let append = ledger.charge(&of(add_remove, with_delta("0.1", "0"))).unwrap();
    assert!(append.text.contains("\"neighbours\":\"add-remove\""), "{}", append.text);
    assert_eq!(ledger.spent(), epsilon("0.1"));

    // A substituted row is a removed one and an added one.
    let mut ledger = open("1", "0", substitute);
    ledger.charge(&of(add_remove, with_delta("0.3", "0"))).unwrap();
    assert_eq!((ledger.spent(), ledger.remaining()), (epsilon("0.6"), epsilon("0.4")));
    let refused = ledger.charge(&of(add_remove, with_delta("0.21", "0"))).unwrap_err();
    assert_eq!(refused.to_string(), "the ledger has epsilon 0.2 left, and this would cost 0.21");
    let mut ledger = open("1", "1e-6", substitute);
    ledger.charge(&of(add_remove, with_delta("0.4", "1e-7"))).unwrap();
    let quadruple = Rho::largest(epsilon("0.4"), delta("1e-7")).units() * 4;
    assert_eq!(ledger.account().rho().unwrap().units(), quadruple);
    // (1 + e^0.4) 1e-7 by adding up, and no more than 0.8 there.
    let together = ledger.together();
    assert!((together.delta.to_f64() - 2.491_824_7e-7).abs() < 1e-13, "{together:?}");
    assert!(together.epsilon <= epsilon("0.8"));
}

/// Seals lines as versions before 0.2 wrote them.
fn old_ledger(charges: &[&str]) -> String {
    use sha2::{Digest, Sha256};
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let comment = three_charges().lines().next().unwrap().to_owned();
    let opening = r#"{"ledger":1,"time":"2026-11-15T12:00:00Z","id":"patients","epsilon":2.0,"delta":3e-6,"schema":null"#;
    let mut head = hex(&Sha256::digest(&comment));
    let mut body = String::new();
    for content in std::iter::once(&opening).chain(charges) {
        head = hex(&Sha256::digest(format!("{head}\n{content}")));
        body.push_str(&format!("{content},\"hash\":\"{head}\"}}\n"));
    }
    format!("{comment}\n# entries {:06} head {head}\n{body}", 1 + charges.len())
}

#[test]
fn ledgers_of_earlier_versions_are_read_and_charged_on() {
    let with = r#"{"time":"2026-11-15T13:00:00Z","epsilon":0.5,"delta":1e-6,"what":"old","schema":"5f2a""#;
    let pure = r#"{"time":"2026-11-15T13:00:00Z","epsilon":0.25,"what":"old","schema":"5f2a""#;
    let text = old_ledger(&[pure, with, pure]);
    let mut ledger = Ledger::parse(&text).unwrap();
    assert_eq!(ledger.opening().neighbours, Neighbours::Substitute);
    // By epsilon and delta, as there is no rho.
    assert_eq!((ledger.spent(), ledger.remaining()), (epsilon("1"), epsilon("1")));
    assert_eq!((ledger.remaining_delta(), ledger.account().rho()), (delta("2e-6"), None));
    // What comes now is added up by rho in what they leave: other columns too.
    let mut after = text;
    for _ in 0..2 {
        let append = ledger.charge(&Request { schema: "other", ..with_delta("0.4", "1e-6") }).unwrap();
        after = write(&after, &append, ALL);
    }
    assert_eq!(Ledger::parse(&after).unwrap(), ledger);
    assert!(ledger.spent() < epsilon("1.6") && ledger.spent() > epsilon("1.5"), "{}", ledger.spent());
    // Too much is too much, whatever the version.
    assert_eq!(Ledger::parse(&old_ledger(&[with, with, with, with])), Err(LedgerError::Overdrawn));
    assert_eq!(Ledger::parse(&old_ledger(&[pure; 9])), Err(LedgerError::Overdrawn));
}

#[test]
fn killed_at_any_byte_no_rho_is_forgotten() {
    let text = Ledger::open_text(&Opening { delta: delta("1e-6"), ..opening() }).unwrap();
    let append = Ledger::parse(&text).unwrap().charge(&with_delta("0.5", "1e-6")).unwrap();
    let before = write(&text, &append, ALL);
    let append = Ledger::parse(&before).unwrap().charge(&with_delta("0.6", "1e-6")).unwrap();
    let (one, both) = (
        Ledger::parse(&before).unwrap().account(),
        Ledger::parse(&write(&before, &append, ALL)).unwrap().account(),
    );
    for written in 0..=append.text.len() + append.header.len() {
        let ledger = Ledger::parse(&write(&before, &append, written)).unwrap();
        let whole = written >= append.text.len() - 1;
        assert_eq!(ledger.account(), if whole { both } else { one }, "after {written} bytes");
    }
}
