//! Functions that the form does not have, as polynomials, so that every processor computes the same bits.

use crate::builder::Builder;
use crate::instruction::ValueId;
use crate::word::Type;

/// Vector of three f32.
pub type Vector = [ValueId; 3];

impl Builder {
    /// Emits `coefficients[0] + coefficients[1] x + ...`, by Horner's rule with fused steps.
    pub fn polynomial(&mut self, x: ValueId, coefficients: &[f32]) -> ValueId {
        let mut steps = coefficients.iter().rev();
        let highest = steps.next().copied().unwrap_or(0.0);
        let mut sum = self.f32(highest);
        for coefficient in steps {
            let coefficient = self.f32(*coefficient);
            sum = self.fma(sum, x, coefficient);
        }
        sum
    }

    /// Emits x clamped to 0 and 1; 0 for NaN, as in Direct3D.
    pub fn saturate(&mut self, x: ValueId) -> ValueId {
        let (zero, one) = (self.f32(0.0), self.f32(1.0));
        let positive = self.max(x, zero);
        self.min(positive, one)
    }

    /// Emits `a + (b - a) t`.
    pub fn lerp(&mut self, a: ValueId, b: ValueId, t: ValueId) -> ValueId {
        let difference = self.sub(b, a);
        self.fma(difference, t, a)
    }

    /// Emits the largest integer not above x, as f32; x where |x| is at least 2^23 (all such are integers), or NaN.
    pub fn floor(&mut self, x: ValueId) -> ValueId {
        let (one, whole) = (self.f32(1.0), self.f32(8_388_608.0));
        let truncated = self.convert(Type::I32, x);
        let truncated = self.convert(Type::F32, truncated);
        let below = self.sub(truncated, one);
        let rounded_up = self.gt(truncated, x);
        let floor = self.select(rounded_up, below, truncated);
        let magnitude = self.abs(x);
        let has_fraction = self.lt(magnitude, whole);
        self.select(has_fraction, floor, x)
    }

    /// Emits 2 to the power of x, clamped to −126 to 127; relative error below 1e-6.
    pub fn exp2(&mut self, x: ValueId) -> ValueId {
        // ln(2)^k / k!
        const TAYLOR: [f32; 7] =
            [1.0, std::f32::consts::LN_2, 0.240_226_5, 0.055_504_11, 0.009_618_129, 0.001_333_355_8, 0.000_154_035_3];
        let (min_exponent, max_exponent, half) = (self.f32(-126.0), self.f32(127.0), self.f32(0.5));
        let x = self.max(x, min_exponent);
        let x = self.min(x, max_exponent);
        let near = self.add(x, half);
        let whole = self.floor(near);
        let fraction = self.sub(x, whole);
        let mantissa = self.polynomial(fraction, &TAYLOR);
        let (bias, mantissa_bits) = (self.i32(127), self.i32(23));
        let exponent = self.convert(Type::I32, whole);
        let exponent = self.add(exponent, bias);
        let exponent = self.shl(exponent, mantissa_bits);
        let power = self.bitcast(Type::F32, exponent);
        self.mul(mantissa, power)
    }

    /// Emits the logarithm to base 2 of a normal positive x; absolute error below 1e-6 plus rounding. Meaningless for
    /// other x.
    pub fn log2(&mut self, x: ValueId) -> ValueId {
        // 2 / ln(2) / k, k = 1, 3, 5, 7: the series of artanh.
        const SERIES: [f32; 4] = [2.885_39, 0.961_796_7, 0.577_078, 0.412_198_6];
        // Bits of sqrt(1/2), so that the mantissa is around 1.
        let (root, mantissa_bits) = (self.i32(0x3f35_04f3), self.i32(23));
        let bits = self.bitcast(Type::I32, x);
        let above_root = self.sub(bits, root);
        let exponent = self.shr(above_root, mantissa_bits);
        let shift = self.shl(exponent, mantissa_bits);
        let mantissa = self.sub(bits, shift);
        let mantissa = self.bitcast(Type::F32, mantissa);
        let one = self.f32(1.0);
        let (below, above) = (self.sub(mantissa, one), self.add(mantissa, one));
        let ratio = self.div(below, above);
        let square = self.mul(ratio, ratio);
        let series = self.polynomial(square, &SERIES);
        let exponent = self.convert(Type::F32, exponent);
        self.fma(ratio, series, exponent)
    }

    /// Emits x to the power of y, for normal positive x.
    pub fn pow(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let logarithm = self.log2(x);
        let product = self.mul(logarithm, y);
        self.exp2(product)
    }

    /// Emits the sine of x in radians; absolute error below 1e-5 for |x| up to 100.
    pub fn sin(&mut self, x: ValueId) -> ValueId {
        const TAYLOR: [f32; 6] = [1.0, -0.166_666_67, 0.008_333_334, -0.000_198_412_7, 2.755_731_9e-6, -2.505_210_8e-8];
        let (per_pi, half) = (self.f32(std::f32::consts::FRAC_1_PI), self.f32(0.5));
        // π in two parts: the nearest f32, and the difference to π.
        let (pi, rest) = (self.f32(-std::f32::consts::PI), self.f32(8.742_278e-8));
        let turns = self.fma(x, per_pi, half);
        let turns = self.floor(turns);
        let angle = self.fma(turns, pi, x);
        let angle = self.fma(turns, rest, angle);
        let square = self.mul(angle, angle);
        let series = self.polynomial(square, &TAYLOR);
        let sine = self.mul(angle, series);
        let (one, zero) = (self.i32(1), self.i32(0));
        let parity = self.convert(Type::I32, turns);
        let parity = self.and(parity, one);
        let even = self.eq(parity, zero);
        let negative = self.neg(sine);
        self.select(even, sine, negative)
    }

    /// Emits an operation on each pair of components.
    pub fn each(&mut self, a: Vector, b: Vector, op: impl Fn(&mut Self, ValueId, ValueId) -> ValueId) -> Vector {
        std::array::from_fn(|axis| op(self, a[axis], b[axis]))
    }

    /// Emits the vector times `factor`.
    pub fn scale(&mut self, a: Vector, factor: ValueId) -> Vector {
        a.map(|component| self.mul(component, factor))
    }

    /// Emits the dot product.
    pub fn dot(&mut self, a: Vector, b: Vector) -> ValueId {
        let x = self.mul(a[0], b[0]);
        let xy = self.fma(a[1], b[1], x);
        self.fma(a[2], b[2], xy)
    }

    /// Emits the vector divided by its length; NaN for the zero vector.
    pub fn normalize(&mut self, a: Vector) -> Vector {
        let one = self.f32(1.0);
        let square = self.dot(a, a);
        let length = self.sqrt(square);
        let inverse = self.div(one, length);
        self.scale(a, inverse)
    }
}
