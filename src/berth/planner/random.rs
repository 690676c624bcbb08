//! A small generator of our own (xorshift, 64 bits): the same seed gives the same plan on every
//! machine, which is why even the logarithm is done in whole steps.

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
        if random.0 == 0 {
            random.0 = 1;
        }
        for _ in 0..8 {
            random.next();
        }
        random
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    /// A number below `end`, 0 when `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % (end.max(1) as u64)) as usize
    }

    /// True in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// About exponentially distributed with mean 1: the binary logarithm is read off the number's
    /// leading zeros, its fraction taken as a straight line.
    pub(super) fn exponential(&mut self) -> f64 {
        let bits = (self.next() & 0xFFFF_FFFF) as u32 | 1;
        let zeros = bits.leading_zeros();
        let mantissa = f64::from(bits << zeros) / 4_294_967_296.0;
        std::f64::consts::LN_2 * (f64::from(zeros) + 2.0 * (1.0 - mantissa))
    }
}
