//! Bit deposit and extract (PDEP and PEXT).

/// Places the low bits of `value`, in order, on the set bits of `mask`; excess bits of `value` are dropped.
pub(crate) const fn deposit(mut value: u64, mut mask: u64) -> u64 {
    let mut spread = 0;
    while value != 0 && mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        if value & 1 != 0 {
            spread |= lowest;
        }
        value >>= 1;
        mask ^= lowest;
    }
    spread
}

/// Moves the bits of `value` under `mask` together at the low end: the inverse of [`deposit`].
pub(crate) const fn extract(value: u64, mut mask: u64) -> u64 {
    let mut gathered = 0;
    let mut place = 0;
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        if value & lowest != 0 {
            gathered |= 1 << place;
        }
        place += 1;
        mask ^= lowest;
    }
    gathered
}

#[cfg(test)]
mod tests {
    use super::{deposit, extract};

    #[test]
    fn deposit_and_extract_are_inverse() {
        for mask in [0x0u64, 0xf, 0xaa8f, 0x5570, 0xffff, 0x8000_0000_0000_0001, u64::MAX] {
            for value in (0..=u64::from(u16::MAX)).step_by(7) {
                let fits = value & deposit_limit(mask);
                assert_eq!(extract(deposit(value, mask), mask), fits);
            }
        }
    }

    fn deposit_limit(mask: u64) -> u64 {
        1u64.checked_shl(mask.count_ones()).map_or(u64::MAX, |limit| limit - 1)
    }
}
