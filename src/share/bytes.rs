//! Bytes of a payload, written and read in one pass: numbers, texts, fractions.
//!
//! | kind | as bytes |
//! |---|---|
//! | number | LEB128: seven bits a byte, lowest first, the high bit set on all but the last; below 2⁶⁴ |
//! | whole | a number, zigzag: 0, −1, 1, −2, 2 … are 0, 1, 2, 3, 4 … |
//! | fraction | a number; 0: eight bytes follow, a little-endian double; else the whole behind `n − 1`, in millionths |
//! | text | a number of bytes, then UTF-8 |
//!
//! Nothing is allocated on the word of a number: a text is cut from what is there, and everything
//! that becomes a value of its own is charged to a budget of [`MOST_PARTS`], on both sides.

use super::LinkError;

/// Most parts of one payload: plan rows, messages, calls, steps, JSON values.
pub(super) const MOST_PARTS: usize = 250_000;

/// What is left of [`MOST_PARTS`].
#[derive(Debug)]
struct Budget(usize);

impl Budget {
    fn charge(&mut self, parts: usize) -> Result<(), LinkError> {
        self.0 = self.0.checked_sub(parts).ok_or(LinkError::TooManyParts)?;
        Ok(())
    }
}

/// An upper bound of the values in a JSON text, without reading it. A text that begins neither a
/// list nor an object has one value at most.
fn values_in(json: &str) -> usize {
    if !json.trim_start().starts_with(['[', '{']) {
        return 1;
    }
    let marks = json
        .bytes()
        .filter(|byte| matches!(byte, b',' | b'[' | b'{'));
    marks.count() + 1
}

fn zigzag(whole: i64) -> u64 {
    (whole << 1 ^ whole >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    budget: Budget,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            budget: Budget(MOST_PARTS),
        }
    }

    /// Takes so many parts off what a reader will allow.
    pub(super) fn charge(&mut self, parts: usize) -> Result<(), LinkError> {
        self.budget.charge(parts)
    }

    pub(super) fn number(&mut self, number: u64) {
        let mut rest = number;
        while rest > 0x7F {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    pub(super) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    pub(super) fn whole(&mut self, whole: i64) {
        self.number(zigzag(whole));
    }

    /// A fraction; what JSON cannot say is 0.
    pub(super) fn fraction(&mut self, fraction: f64) {
        let fraction = if fraction.is_finite() { fraction } else { 0.0 };
        let whole = (fraction * 1e6).round() as i64;
        let is_exact = (whole as f64 / 1e6).to_bits() == fraction.to_bits();
        if is_exact && whole.unsigned_abs() < 1 << 50 {
            self.number(zigzag(whole) + 1);
        } else {
            self.number(0);
            self.bytes.extend(fraction.to_le_bytes());
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend(text.as_bytes());
    }

    /// Charges a text as the reader will.
    pub(super) fn charge_json(&mut self, text: &str) -> Result<(), LinkError> {
        self.charge(values_in(text))
    }

    /// JSON as a text, each value of it a part.
    pub(super) fn json(&mut self, json: &str) -> Result<(), LinkError> {
        self.charge(values_in(json))?;
        self.text(json);
        Ok(())
    }
}

/// The reading side. Whatever is not as written is [`LinkError::Damaged`].
#[derive(Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    budget: Budget,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes,
            budget: Budget(MOST_PARTS),
        }
    }

    pub(super) fn charge(&mut self, parts: usize) -> Result<(), LinkError> {
        self.budget.charge(parts)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    fn byte(&mut self) -> Result<u8, LinkError> {
        let (first, rest) = self.rest.split_first().ok_or(LinkError::Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(super) fn number(&mut self) -> Result<u64, LinkError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(LinkError::Damaged)
    }

    /// A number of things of which each takes at least `least` bytes, so that it cannot be larger
    /// than what is left.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, LinkError> {
        let number = usize::try_from(self.number()?).map_err(|_| LinkError::Damaged)?;
        let fits = number.checked_mul(least.max(1));
        if fits.is_none_or(|bytes| bytes > self.rest.len()) {
            return Err(LinkError::Damaged);
        }
        Ok(number)
    }

    pub(super) fn small(&mut self) -> Result<u32, LinkError> {
        u32::try_from(self.number()?).map_err(|_| LinkError::Damaged)
    }

    pub(super) fn whole(&mut self) -> Result<i64, LinkError> {
        Ok(unzigzag(self.number()?))
    }

    pub(super) fn fraction(&mut self) -> Result<f64, LinkError> {
        let number = self.number()?;
        let fraction = if let Some(number) = number.checked_sub(1) {
            unzigzag(number) as f64 / 1e6
        } else {
            let mut bytes = [0; 8];
            for byte in &mut bytes {
                *byte = self.byte()?;
            }
            f64::from_le_bytes(bytes)
        };
        Some(fraction)
            .filter(|fraction| fraction.is_finite())
            .ok_or(LinkError::Damaged)
    }

    pub(super) fn take(&mut self, many: usize) -> Result<&'a [u8], LinkError> {
        let (taken, rest) = self.rest.split_at_checked(many).ok_or(LinkError::Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, LinkError> {
        let length = self.count(1)?;
        std::str::from_utf8(self.take(length)?).map_err(|_| LinkError::Damaged)
    }

    /// A text that is JSON.
    pub(super) fn json(&mut self) -> Result<serde_json::Value, LinkError> {
        let text = self.text()?;
        self.charge(values_in(text))?;
        // Not deeper than the file of a record could hold.
        crate::rollout::part(text).ok_or(LinkError::Damaged)
    }

    /// Charges a text that somebody further on will try to read as JSON.
    pub(super) fn charge_json(&mut self, text: &str) -> Result<(), LinkError> {
        self.charge(values_in(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_the_bytes_of_the_table() {
        let mut writer = Writer::new();
        writer.number(127);
        writer.number(300);
        writer.whole(-2);
        writer.fraction(0.5);
        writer.text("é");
        let expected = [0x7F, 0xAC, 0x02, 3, 0xC1, 0x84, 0x3D, 2, 0xC3, 0xA9];
        assert_eq!(writer.bytes, expected);
    }

    #[test]
    fn numbers_beyond_64_bits_are_damage() {
        let mut bytes = [0xFF; 10];
        bytes[9] = 1;
        assert_eq!(Reader::new(&bytes).number(), Ok(u64::MAX));
        bytes[9] = 2;
        assert_eq!(Reader::new(&bytes).number(), Err(LinkError::Damaged));
        assert_eq!(Reader::new(&[0x80; 20]).number(), Err(LinkError::Damaged));
    }

    #[test]
    fn a_count_that_cannot_be_there_is_damage() {
        let mut writer = Writer::new();
        writer.number(1 << 60);
        assert_eq!(Reader::new(&writer.bytes).count(1), Err(LinkError::Damaged));
        assert_eq!(Reader::new(&writer.bytes).text(), Err(LinkError::Damaged));
        assert_eq!(Reader::new(&[2, 0, 0]).count(2), Err(LinkError::Damaged));
    }

    #[test]
    fn a_fraction_that_is_no_number_is_damage() {
        let mut writer = Writer::new();
        writer.number(0);
        writer.bytes.extend(f64::INFINITY.to_le_bytes());
        assert_eq!(
            Reader::new(&writer.bytes).fraction(),
            Err(LinkError::Damaged)
        );
        let mut writer = Writer::new();
        writer.fraction(f64::NAN);
        assert_eq!(writer.bytes, [1]);
    }

    proptest! {
        #[test]
        fn everything_survives(
            number in any::<u64>(), whole in any::<i64>(), fraction in any::<f64>(), text in ".{0,8}",
        ) {
            let mut writer = Writer::new();
            writer.number(number);
            writer.whole(whole);
            writer.fraction(fraction);
            writer.text(&text);
            let mut reader = Reader::new(&writer.bytes);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert_eq!(reader.whole(), Ok(whole));
            let finite = if fraction.is_finite() { fraction } else { 0.0 };
            prop_assert_eq!(reader.fraction().map(f64::to_bits), Ok(finite.to_bits()));
            prop_assert_eq!(reader.text(), Ok(text.as_str()));
            prop_assert!(reader.is_empty());
        }
        #[test]
        fn rewards_take_few_bytes(millionths in 0..=1_000_000_u32) {
            let mut writer = Writer::new();
            writer.fraction(f64::from(millionths) / 1e6);
            prop_assert!(writer.bytes.len() <= 3);
        }
    }
}
