//! Checks of a Parquet file's footer, before its own reader trusts it.

use super::thrift::{Kind, Malformed, Thrift};

/// Number of bytes after the footer: its length, and four letters.
pub(super) const TRAILER: usize = 8;
/// Deepest nesting of columns: deeper ones overflow the stack of Parquet's reader, and no supported column is
/// nested.
const DEEPEST: usize = 64;

type Result<T> = std::result::Result<T, Malformed>;

/// The kinds of fields, by number, that Parquet's reader assumes whatever the file says.
type Fields = [(i16, Shape)];

#[derive(Clone, Copy)]
enum Shape {
    One(Kind),
    Struct(&'static Fields),
    List(&'static Fields),
    Schema,
}

use Kind::{Binary, I16, I32, I64};
use Shape::{List, One, Schema, Struct};

const FILE: &Fields = &[
    (1, One(I32)),
    (2, Schema),
    (3, One(I64)),
    (4, List(ROW_GROUP)),
    (5, List(&[(1, One(Binary)), (2, One(Binary))])),
    (6, One(Binary)),
    (7, List(&[])),
];
const ROW_GROUP: &Fields = &[
    (1, List(CHUNK)),
    (2, One(I64)),
    (3, One(I64)),
    (4, List(&[(1, One(I32))])),
    (5, One(I64)),
    (6, One(I64)),
    (7, One(I16)),
];
const CHUNK: &Fields = &[
    (1, One(Binary)),
    (2, One(I64)),
    (3, Struct(COLUMN)),
    (4, One(I64)),
    (5, One(I32)),
    (6, One(I64)),
    (7, One(I32)),
];
const COLUMN: &Fields = &[
    (1, One(I32)),
    (2, One(Kind::List)),
    (3, One(Kind::List)),
    (4, One(I32)),
    (5, One(I64)),
    (6, One(I64)),
    (7, One(I64)),
    (8, One(Kind::List)),
    (9, One(I64)),
    (10, One(I64)),
    (11, One(I64)),
    (12, One(Kind::Struct)),
    (13, One(Kind::List)),
    (14, One(I64)),
    (15, One(I32)),
];
const ELEMENT: &Fields = &[
    (1, One(I32)),
    (2, One(I32)),
    (3, One(I32)),
    (4, One(Binary)),
    (5, One(I32)),
    (6, One(I32)),
    (7, One(I32)),
    (8, One(I32)),
    (9, One(I32)),
    (10, One(Kind::Struct)),
];
/// The field of an element that counts its children.
const CHILDREN: i16 = 5;

/// Checks that the footer of a Parquet file can be handed to its reader: its lists are in the file, its fields
/// have the right kinds, and its columns are not nested too deep for the stack.
pub(super) fn check(file: &[u8]) -> Result<()> {
    let (before, trailer) = file.split_last_chunk::<TRAILER>().ok_or(Malformed)?;
    let [a, b, c, d, letters @ ..] = *trailer;
    if &letters != b"PAR1" {
        return Err(Malformed);
    }
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).map_err(|_| Malformed)?;
    let start = before.len().checked_sub(length).ok_or(Malformed)?;
    fields(&mut Thrift::new(&before[start..]), FILE, &mut |_, _| {})
}

/// Skips a struct with these fields; `number` is called with the values of its 32-bit fields.
fn fields(thrift: &mut Thrift<'_>, known: &Fields, number: &mut dyn FnMut(i16, i64)) -> Result<()> {
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(last)? {
        last = field;
        match (known.iter().find(|(known, _)| *known == field), kind) {
            (None, kind) => thrift.skip(kind)?,
            (Some((_, One(Kind::I32))), Kind::I32) => number(field, thrift.signed()?),
            (Some((_, One(expected))), kind) if *expected == kind => thrift.skip(kind)?,
            (Some((_, Struct(inner))), Kind::Struct) => fields(thrift, inner, &mut |_, _| {})?,
            (Some((_, List(items))), Kind::List) => {
                let (length, kind) = thrift.list()?;
                if length > 0 && kind != Kind::Struct {
                    return Err(Malformed);
                }
                for _ in 0..length {
                    fields(thrift, items, &mut |_, _| {})?;
                }
            }
            (Some((_, Schema)), Kind::List) => schema(thrift)?,
            _ => return Err(Malformed),
        }
    }
    Ok(())
}

/// Checks the columns, parents before their children: none has more children than exist, or is nested too deep.
fn schema(thrift: &mut Thrift<'_>) -> Result<()> {
    let (length, kind) = thrift.list()?;
    if length > 0 && kind != Kind::Struct {
        return Err(Malformed);
    }
    // How many children are still to come of the elements that are open.
    let mut open: Vec<usize> = Vec::new();
    for place in 0..length {
        let mut children = 0;
        fields(thrift, ELEMENT, &mut |field, value| {
            if field == CHILDREN {
                children = value;
            }
        })?;
        let children = usize::try_from(children).map_err(|_| Malformed)?;
        if children > length - place - 1 {
            return Err(Malformed);
        }
        if let Some(parent) = open.last_mut() {
            *parent -= 1;
        }
        open.push(children);
        if open.len() > DEEPEST {
            return Err(Malformed);
        }
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with only a footer, with this list of columns, each given by its number of children.
    fn file(children: &[u8]) -> Vec<u8> {
        let mut footer = vec![0x15, 2, 0x19, 0xfc];
        footer.push(children.len() as u8 | 0x80);
        footer.push((children.len() >> 7) as u8);
        for &children in children {
            // A name, and a number with a sign.
            footer.extend([0x48, 1, b'x', 0x15, 2 * children, 0]);
        }
        footer.push(0);
        let length = (footer.len() as u32).to_le_bytes();
        footer.extend(length);
        footer.extend(b"PAR1");
        footer
    }

    #[test]
    fn columns_must_be_there_and_not_too_deep() {
        assert_eq!(check(&file(&[2, 0, 1, 0])), Ok(()));
        assert_eq!(check(&file(&[9, 0, 0])), Err(Malformed));
        assert_eq!(check(&file(&[0x7f, 0, 0])), Err(Malformed));
        let deep = |depth: usize| [vec![1; depth], vec![0]].concat();
        assert_eq!(check(&file(&deep(60))), Ok(()));
        assert_eq!(check(&file(&deep(70))), Err(Malformed));
        let wide: Vec<u8> = [vec![60], vec![0; 60]].concat();
        assert_eq!(check(&file(&wide)), Ok(()));
    }

    #[test]
    fn rejects_bytes_that_are_not_a_footer() {
        for bytes in [&b""[..], b"PAR1", b"PAR1\xff\xff\xff\xffPAR1", b"PAR1\0\0\0\0PARE"] {
            assert_eq!(check(bytes), Err(Malformed), "{bytes:?}");
        }
        // Row groups as a number, which Parquet's reader would take for a list.
        assert_eq!(check(&[0x45, 2, 0, 3, 0, 0, 0, b'P', b'A', b'R', b'1']), Err(Malformed));
    }
}
