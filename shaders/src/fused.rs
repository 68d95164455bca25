//! Fused multiply-add of f32, exact on every processor.

/// Returns `a * b + c`, rounded once; IEEE 754 fusedMultiplyAdd of binary32.
///
/// `f32::mul_add` is not used, because it calls the platform's libm on processors without such an instruction, and some
/// implementations of libm are wrong. The product is exact in 64 bits. The sum is rounded to odd in 64 bits, which
/// preserves the information for the final rounding (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums:
/// proved algorithms using rounding to odd").
pub(crate) extern "C" fn fused_multiply_add(a: f32, b: f32, c: f32) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let addend = f64::from(c);
    let sum = product + addend;
    if !sum.is_finite() {
        return sum as f32;
    }
    // Exact error of the rounded sum (Knuth's TwoSum; no overflow: the operands are far from the limits of f64).
    let part = sum - product;
    let error = (product - (sum - part)) + (addend - part);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum as f32;
    }
    // The last bit is even, and the exact sum is not: round to the odd neighbour on its side.
    let away_from_zero = (error > 0.0) == (sum > 0.0);
    let bits = if away_from_zero { sum.to_bits() + 1 } else { sum.to_bits() - 1 };
    f64::from_bits(bits) as f32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_hard_cases() {
        // 1 + 2^-23 and a product of 2^-24 - 2^-70. In 64 bits this is a tie, and ties go to even; the exact sum is
        // next to it.
        let (a, b) = (2f32.powi(-24) * (1.0 + f32::EPSILON), 1.0 - f32::EPSILON);
        let c = 1.0 + f32::EPSILON;
        assert_eq!(fused_multiply_add(a, b, c), c);
        assert_eq!(fused_multiply_add(-a, b, c), c);
        assert_eq!(fused_multiply_add(-a, b, -c), -c);
        // Exact cancellation gives +0; a negative zero results only from two of them.
        assert_eq!(fused_multiply_add(2.0, 3.0, -6.0).to_bits(), 0);
        assert_eq!(fused_multiply_add(-0.0, 1.0, -0.0).to_bits(), (-0f32).to_bits());
        // Overflow and the smallest denormal.
        assert_eq!(fused_multiply_add(f32::MAX, 2.0, 0.0), f32::INFINITY);
        assert_eq!(fused_multiply_add(f32::MAX, 2.0, -f32::MAX), f32::MAX);
        let smallest = f32::from_bits(1);
        assert_eq!(fused_multiply_add(smallest, 0.5, smallest), smallest * 2.0);
        assert_eq!(fused_multiply_add(smallest, 0.5, 0.0).to_bits(), 0);
        assert!(fused_multiply_add(f32::INFINITY, 0.0, 1.0).is_nan());
    }

    /// Products of about half a unit of the summand's last place, a little more and a little less. glibc's and every
    /// processor's operation is correct there.
    #[cfg(target_os = "linux")]
    #[test]
    fn agrees_with_the_platform_near_ties() {
        let near_one = |steps: i32| 1.0 + steps as f32 * f32::EPSILON;
        for (first, second, third) in triples(-6..=6) {
            for scale in [-25, -24, -23, -1].map(|exponent| 2f32.powi(exponent)) {
                let (a, b, c) = (near_one(first) * scale, near_one(second), near_one(third));
                for (a, c) in [(a, c), (-a, c), (a, -c), (a * 2f32.powi(-120), c * 2f32.powi(-122))] {
                    assert_eq!(fused_multiply_add(a, b, c).to_bits(), a.mul_add(b, c).to_bits(), "{a:e} {b:e} {c:e}");
                }
            }
        }
    }

    fn triples(range: std::ops::RangeInclusive<i32>) -> impl Iterator<Item = (i32, i32, i32)> {
        let pairs = range.clone().flat_map({
            let range = range.clone();
            move |first| range.clone().map(move |second| (first, second))
        });
        pairs.flat_map(move |(first, second)| range.clone().map(move |third| (first, second, third)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        /// glibc's and every processor's operations are correct.
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
