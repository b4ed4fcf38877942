//! From values to positions along an axis.

/// The map from values to positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart; only positive values have a place.
    Log,
    /// Linear near zero, logarithmic beyond, with both signs.
    SymmetricLog {
        /// The half-width of the linear part; it takes the length of a decade on either side.
        linear_within: f64,
    },
    /// Names at 0, 1, 2, ...; on a vertical axis the first is at the top.
    Categories(Vec<String>),
}

impl Scale {
    /// The place of a value on a scale without ends, if it has one.
    pub(super) fn transform(&self, value: f64) -> Option<f64> {
        match self {
            Self::Linear => value.is_finite().then_some(value),
            // Subnormal numbers are zeros that lost their way, and too coarse to put ticks between.
            Self::Log => (value >= f64::MIN_POSITIVE && value.is_finite()).then(|| value.log10()),
            Self::SymmetricLog { linear_within } => {
                let c = threshold(*linear_within);
                let size = value.abs();
                let place = if size <= c { size / c } else { 1.0 + (size.log10() - c.log10()) };
                value.is_finite().then_some(place.copysign(value))
            }
            Self::Categories(names) => (-0.5 <= value && value <= names.len() as f64 - 0.5).then_some(value),
        }
    }

    /// The value at a place: the inverse of [`Scale::transform`], held to finite numbers.
    pub(super) fn value(&self, place: f64) -> f64 {
        let value = match self {
            Self::Linear | Self::Categories(_) => place,
            // The power of the least place is rounded, and must have a place again.
            Self::Log => 10f64.powf(place).max(f64::MIN_POSITIVE),
            Self::SymmetricLog { linear_within } => {
                let c = threshold(*linear_within);
                let size = place.abs();
                let value = if size <= 1.0 { size * c } else { 10f64.powf(size - 1.0 + c.log10()) };
                value.copysign(place)
            }
        };
        value.clamp(-f64::MAX, f64::MAX)
    }

    pub(super) fn categories(&self) -> Option<&[String]> {
        match self {
            Self::Categories(names) => Some(names),
            _ => None,
        }
    }
}

/// The half-width of the linear part; 1 if it is not a positive number.
pub(super) fn threshold(linear_within: f64) -> f64 {
    if linear_within.is_normal() && linear_within > 0.0 { linear_within } else { 1.0 }
}

/// A scale with ends, as places of [`Scale::transform`].
#[derive(Clone, Debug)]
pub(super) struct Range<'a> {
    pub(super) scale: &'a Scale,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether nothing is on the axis, so that its ends mean nothing either.
    pub(super) empty: bool,
}

impl<'a> Range<'a> {
    /// A range that contains all values.
    pub(super) fn over(scale: &'a Scale, values: impl Iterator<Item = f64>) -> Self {
        if let Some(names) = scale.categories() {
            // Half a category of air at either end.
            return Self { scale, low: -1.0, high: names.len().max(1) as f64, empty: names.is_empty() };
        }
        let places = values.filter_map(|value| scale.transform(value));
        let (low, high) = places
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| (low.min(place), high.max(place)));
        if low > high {
            return Self { scale, low: 0.0, high: 1.0, empty: true };
        }
        let largest = low.abs().max(high.abs());
        let half_width = high / 2.0 - low / 2.0;
        // Ends closer than this could not be told apart in tick labels.
        let (too_close, half) = match scale {
            Scale::Linear => ((largest * 1e-6).max(1e-300), if largest == 0.0 { 1.0 } else { largest * 0.1 }),
            _ => (largest.max(1.0) * 1e-6, 0.15),
        };
        let (low, high) = if half_width < too_close {
            let middle = low / 2.0 + high / 2.0;
            let half = if low == high { half.max(too_close) } else { too_close };
            ((middle - half).max(-f64::MAX), (middle + half).min(f64::MAX))
        } else {
            (low, high)
        };
        Self { scale, low, high, empty: false }
    }

    /// Distance of ticks beyond the marks, as a share of the marks' range.
    pub(super) const BEYOND: f64 = 0.04;

    pub(super) fn tick_ends(&self) -> (f64, f64) {
        let beyond = 2.0 * Self::BEYOND * (self.high / 2.0 - self.low / 2.0);
        ((self.low - beyond).max(-f64::MAX), (self.high + beyond).min(f64::MAX))
    }

    /// The place of a value between the ends, from 0 to 1, or for ticks a little beyond.
    pub(super) fn share(&self, value: f64) -> f64 {
        let place = self.scale.transform(value).unwrap_or(self.low);
        // Halves, because the whole width may be too large for a number.
        let share = (place / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        share.clamp(-Self::BEYOND, 1.0 + Self::BEYOND)
    }
}
