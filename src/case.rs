//! Words without regard to capitals.
//!
//! The standard library lowers every script there is, with tables of thirty kilobytes. Here the
//! scripts that ships, quays and headings are written in are lowered by rule, the rest is left.

/// The words in small letters: Latin with its accents, Greek, Cyrillic, Armenian, wide Latin.
///
/// ```
/// use quayside::case::lower;
/// assert_eq!(lower("ÅLAND Ž 7 ΣΤΟΛΟΣ ЁЖ"), "åland ž 7 στολοσ ёж");
/// ```
pub fn lower(text: &str) -> String {
    text.chars().map(small).collect()
}

fn small(sign: char) -> char {
    let code = u32::from(sign);
    let small = match code {
        0x41..=0x5A
        | 0xC0..=0xD6
        | 0xD8..=0xDE
        | 0x391..=0x3A1
        | 0x3A3..=0x3AB
        | 0x410..=0x42F
        | 0xFF21..=0xFF3A => code + 32,
        0x178 => 0xFF,
        // Capitals with the small letter next to them.
        0x139..=0x148 | 0x179..=0x17E => code + code % 2,
        0x100..=0x12F
        | 0x132..=0x137
        | 0x14A..=0x177
        | 0x460..=0x481
        | 0x48A..=0x4BF
        | 0x4D0..=0x52F
        | 0x1E00..=0x1E95
        | 0x1EA0..=0x1EFF => code | 1,
        0x386 => 0x3AC,
        0x388..=0x38A => code + 37,
        0x38C => 0x3CC,
        0x38E..=0x38F => code + 63,
        0x400..=0x40F => code + 80,
        0x531..=0x556 => code + 48,
        _ => code,
    };
    char::from_u32(small).unwrap_or(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_lowers_as_the_standard_library_does() {
        let scripts = [
            0..0x180_u32,
            0x386..0x3AC,
            0x400..0x4C0,
            0x4D0..0x557,
            0x1E00..0x1E96,
        ];
        for sign in scripts.into_iter().flatten().filter_map(char::from_u32) {
            // A dotted capital I becomes two signs there.
            if sign != 'İ' {
                let expected: String = sign.to_lowercase().collect();
                assert_eq!(lower(&sign.to_string()), expected, "{sign}");
            }
        }
    }
}
