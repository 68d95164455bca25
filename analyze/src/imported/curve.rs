//! Values over time, thinned out to a bounded number.

/// Max points of a curve; it has at least half of them if the trace has as many values.
const MAX_POINTS: usize = 400;

/// A value and its stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurvePoint {
    pub stamp: u64,
    pub bytes: u64,
}

/// Every `step`-th of the values so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    points: Vec<CurvePoint>,
    step: u64,
    seen: u64,
}

impl Default for Curve {
    fn default() -> Self {
        Self { points: Vec::new(), step: 1, seen: 0 }
    }
}

impl Curve {
    pub fn push(&mut self, stamp: u64, bytes: u64) {
        if self.seen.is_multiple_of(self.step) {
            if self.points.len() == MAX_POINTS {
                let mut index = 0;
                self.points.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.step *= 2;
            }
            if self.seen.is_multiple_of(self.step) {
                self.points.push(CurvePoint { stamp, bytes });
            }
        }
        self.seen += 1;
    }

    pub fn points(&self) -> &[CurvePoint] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_equally_distant_values_and_a_bounded_number() {
        for values in [0, 1, 399, 400, 401, 5_000_u64] {
            let mut curve = Curve::default();
            (0..values).for_each(|value| curve.push(value, 2 * value));
            let points = curve.points();
            assert!(points.len() <= MAX_POINTS && points.len() as u64 >= values.min(200), "{values}: {}", points.len());
            let step = points.get(1).map_or(1, |second| second.stamp);
            assert!(points.iter().enumerate().all(|(index, point)| point.stamp == index as u64 * step), "{values}");
            assert!(points.iter().all(|point| point.bytes == 2 * point.stamp));
        }
    }
}
