//! Fused multiply-add in 32 bits, exact on every machine.

/// `a * b + c`, rounded once; IEEE 754 fusedMultiplyAdd of binary32.
///
/// Not `f32::mul_add`: that is the platform's libm where the machine has no such instruction, and some are wrong.
/// The product is exact in 64 bits. The sum is rounded to odd there, which keeps what the last rounding needs to know
/// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd").
pub(crate) extern "C" fn fused_multiply_add(a: f32, b: f32, c: f32) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let addend = f64::from(c);
    let sum = product + addend;
    if !sum.is_finite() {
        return sum as f32;
    }
    // What the rounded sum lacks, exactly (Knuth's TwoSum; nothing overflows: the operands are far from f64's ends).
    let part = sum - product;
    let error = (product - (sum - part)) + (addend - part);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum as f32;
    }
    // An even last bit, and the true sum lies beside it: the odd neighbour on that side.
    let away_from_zero = (error > 0.0) == (sum > 0.0);
    let bits = if away_from_zero { sum.to_bits() + 1 } else { sum.to_bits() - 1 };
    f64::from_bits(bits) as f32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An independent way: exact integer arithmetic is too long here, but the exact sum's sign against the midpoint of
    /// two neighbours is not needed where 53 bits hold the sum exactly.
    #[test]
    fn known_hard_cases() {
        // 1 + 2^-24 is a tie that the tiny product breaks upward; two roundings would lose it.
        let tie = 1.0 + f64::from(2f32.powi(-24));
        assert_eq!(tie as f32, 1.0);
        let a = 2f32.powi(-24);
        let b = 1.0 + 2f32.powi(-23);
        assert_eq!(fused_multiply_add(a, b, 1.0), 1.0 + f32::EPSILON);
        // The same downward.
        assert_eq!(fused_multiply_add(-a, b, 1.0 + f32::EPSILON), 1.0);
        // Exact cancellation gives +0; a negative zero comes only of two.
        assert_eq!(fused_multiply_add(2.0, 3.0, -6.0).to_bits(), 0);
        assert_eq!(fused_multiply_add(-0.0, 1.0, -0.0).to_bits(), (-0f32).to_bits());
        // Overflow and the least denormal.
        assert_eq!(fused_multiply_add(f32::MAX, 2.0, 0.0), f32::INFINITY);
        assert_eq!(fused_multiply_add(f32::MAX, 2.0, -f32::MAX), f32::MAX);
        let least = f32::from_bits(1);
        assert_eq!(fused_multiply_add(least, 0.5, least), least * 2.0);
        assert_eq!(fused_multiply_add(least, 0.5, 0.0).to_bits(), 0);
        assert!(fused_multiply_add(f32::INFINITY, 0.0, 1.0).is_nan());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        /// glibc's and every processor's are right.
        #[cfg(target_os = "linux")]
        #[test]
        fn agrees_with_the_platform(a: u32, b: u32, c: u32, near in 0u32..64) {
            let [a, b, c] = [a, b, c].map(f32::from_bits);
            // A third operand close to the product, so that bits cancel.
            let close = f32::from_bits((-(a * b)).to_bits() ^ near);
            for c in [c, close, -close] {
                let (ours, theirs) = (fused_multiply_add(a, b, c), a.mul_add(b, c));
                prop_assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(), "{a} {b} {c}");
            }
        }
    }
}
