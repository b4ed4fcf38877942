//! The compact Thrift in which Parquet describes itself, read with bounds.
//!
//! Parquet's own reader trusts counts as written, and allocates memory or recurses by them. Reading here first
//! needs no memory: a list must be shorter than the remaining bytes, and nesting is bounded.

/// Deepest nesting of structs and lists; Parquet itself needs six.
const DEEPEST: usize = 32;

/// Bytes that are not Thrift, or are cut short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

type Result<T> = std::result::Result<T, Malformed>;

/// The types that Parquet uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    True,
    False,
    Byte,
    I16,
    I32,
    I64,
    Double,
    Binary,
    List,
    Set,
    Map,
    Struct,
    Uuid,
}

impl Kind {
    fn of(code: u8) -> Result<Self> {
        use Kind::{Binary, Byte, Double, False, I16, I32, I64, List, Map, Set, Struct, True, Uuid};
        let kinds = [True, False, Byte, I16, I32, I64, Double, Binary, List, Set, Map, Struct, Uuid];
        kinds.get(usize::from(code).wrapping_sub(1)).copied().ok_or(Malformed)
    }
}

/// A walk over bytes.
#[derive(Debug, Clone)]
pub(super) struct Thrift<'a> {
    left: &'a [u8],
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Number of remaining bytes.
    pub(super) fn left(&self) -> usize {
        self.left.len()
    }

    fn byte(&mut self) -> Result<u8> {
        let (&first, rest) = self.left.split_first().ok_or(Malformed)?;
        self.left = rest;
        Ok(first)
    }

    fn bytes(&mut self, count: u64) -> Result<()> {
        let count = usize::try_from(count).map_err(|_| Malformed)?;
        self.left = self.left.get(count..).ok_or(Malformed)?;
        Ok(())
    }

    /// A number of up to 64 bits, seven to a byte.
    pub(super) fn unsigned(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }

    /// A number with a sign.
    pub(super) fn signed(&mut self) -> Result<i64> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// The number and kind of a struct's next field, where `last` is the number of the one before; `None` at its
    /// end.
    pub(super) fn field(&mut self, last: i16) -> Result<Option<(i16, Kind)>> {
        let byte = self.byte()?;
        let (delta, kind) = (byte >> 4, byte & 0x0f);
        if kind == 0 {
            return Ok(None);
        }
        let number = match delta {
            0 => i16::try_from(self.signed()?).map_err(|_| Malformed)?,
            delta => last.checked_add(i16::from(delta)).ok_or(Malformed)?,
        };
        Ok(Some((number, Kind::of(kind)?)))
    }

    /// The length of a list and the kind of its items, each of which takes at least a byte.
    pub(super) fn list(&mut self) -> Result<(usize, Kind)> {
        let byte = self.byte()?;
        // Some writers give an empty list no kind.
        if byte == 0 {
            return Ok((0, Kind::Byte));
        }
        let length = match byte >> 4 {
            15 => self.unsigned()?,
            length => u64::from(length),
        };
        let length = usize::try_from(length).map_err(|_| Malformed)?;
        if length > self.left() {
            return Err(Malformed);
        }
        Ok((length, Kind::of(byte & 0x0f)?))
    }

    /// Skips a value.
    pub(super) fn skip(&mut self, kind: Kind) -> Result<()> {
        self.skip_within(kind, DEEPEST)
    }

    fn skip_within(&mut self, kind: Kind, depth: usize) -> Result<()> {
        let depth = depth.checked_sub(1).ok_or(Malformed)?;
        match kind {
            Kind::True | Kind::False => Ok(()),
            Kind::Byte => self.bytes(1),
            Kind::I16 | Kind::I32 | Kind::I64 => self.unsigned().map(|_| ()),
            Kind::Double => self.bytes(8),
            Kind::Uuid => self.bytes(16),
            Kind::Binary => {
                let length = self.unsigned()?;
                self.bytes(length)
            }
            Kind::Struct => {
                while let Some((_, kind)) = self.field(0)? {
                    self.skip_within(kind, depth)?;
                }
                Ok(())
            }
            Kind::List | Kind::Set => {
                let (length, kind) = self.list()?;
                (0..length).try_for_each(|_| self.item(kind, depth))
            }
            Kind::Map => {
                let length = self.unsigned()?;
                if length == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                let (key, value) = (Kind::of(kinds >> 4)?, Kind::of(kinds & 0x0f)?);
                if length > self.left() as u64 {
                    return Err(Malformed);
                }
                for _ in 0..length {
                    self.item(key, depth)?;
                    self.item(value, depth)?;
                }
                Ok(())
            }
        }
    }

    /// Skips an item of a list, where truth values take a byte; Parquet's reader assumes that they take nothing,
    /// so that no footer may have a list of them.
    fn item(&mut self, kind: Kind, depth: usize) -> Result<()> {
        match kind {
            Kind::True | Kind::False => Err(Malformed),
            kind => self.skip_within(kind, depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(Thrift::new(&[0xac, 0x02]).unsigned(), Ok(300));
        assert_eq!(Thrift::new(&[0x03]).signed(), Ok(-2));
        assert_eq!(Thrift::new(&[0xff; 20]).unsigned(), Err(Malformed));
        assert_eq!(Thrift::new(&[0x80]).unsigned(), Err(Malformed));
    }

    #[test]
    fn skipping_ends() {
        // A struct of a binary and a list of two numbers.
        let good = [0x18, 2, b'a', b'b', 0x19, 0x25, 1, 2, 0];
        let mut thrift = Thrift::new(&good);
        assert_eq!((thrift.skip(Kind::Struct), thrift.left()), (Ok(()), 0));
        for cut in 0..good.len() {
            assert_eq!(Thrift::new(&good[..cut]).skip(Kind::Struct), Err(Malformed), "{cut}");
        }
        assert_eq!(Thrift::new(&[0x19; 1000]).skip(Kind::Struct), Err(Malformed), "nested lists");
        assert_eq!(Thrift::new(&[0x1c; 1000]).skip(Kind::Struct), Err(Malformed), "nested structs");
        let long = [0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x07, 0];
        assert_eq!(Thrift::new(&long).skip(Kind::Struct), Err(Malformed), "a list that is not there");
        let truths = [0x19, 0x21, 0, 0];
        assert_eq!(Thrift::new(&truths).skip(Kind::Struct), Err(Malformed));
    }
}
