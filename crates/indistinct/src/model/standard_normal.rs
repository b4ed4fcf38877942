//! The standard normal distribution. Used on public values only: nothing here decides about private rows.

/// Phi(z).
pub fn distribution(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Phi^-1(p), by bisection to the last bit that matters; used when grids are set up, not in loops.
pub fn quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    if p == 0.5 {
        return 0.0;
    }
    if p > 0.5 {
        return -quantile(1.0 - p);
    }
    let (mut low, mut high) = (-40.0, 0.0);
    while high - low > 1e-15 * f64::max(1.0, -low) {
        let middle = f64::midpoint(low, high);
        if distribution(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
        if middle == low && middle == high {
            break;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_and_inverse() {
        assert!((distribution(1.0) - 0.841_344_746_068_542_9).abs() < 1e-15);
        assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        for z in [-8.0, -2.5, -0.1, 0.0, 0.7, 3.0] {
            assert!((quantile(distribution(z)) - z).abs() < 1e-9, "{z}");
        }
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
    }
}
