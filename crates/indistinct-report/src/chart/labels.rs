//! Labels along a line that would overlap, moved apart no further than needed.

/// The wish of a label: the position of its middle, and its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub(super) middle: f64,
    pub(super) length: f64,
}

/// Middles between `start` and `end` so that no two labels overlap, in the order of the wishes and as near to
/// them as least squares allow. If there is not enough room they extend beyond the end.
pub(super) fn apart(wishes: &[Wish], start: f64, end: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by(|&a, &b| wishes[a].middle.total_cmp(&wishes[b].middle).then(a.cmp(&b)));
    // Labels that touch form a block; a block stands where the mean of its labels' wishes puts it.
    let mut blocks: Vec<Block> = Vec::new();
    for &label in &order {
        let Wish { middle, length } = wishes[label];
        let mut block = Block { labels: vec![label], length, starts: middle - length / 2.0 };
        while let Some(previous) = blocks.pop_if(|p| p.start(start, end) + p.length > block.start(start, end))
        {
            block = previous.joined(block);
        }
        blocks.push(block);
    }
    let mut middles = vec![0.0; wishes.len()];
    for block in &blocks {
        let mut at = block.start(start, end);
        for &label in &block.labels {
            middles[label] = at + wishes[label].length / 2.0;
            at += wishes[label].length;
        }
    }
    middles
}

struct Block {
    labels: Vec<usize>,
    length: f64,
    /// Sum over labels of the start of the block that each would choose.
    starts: f64,
}

impl Block {
    fn start(&self, start: f64, end: f64) -> f64 {
        (self.starts / self.labels.len() as f64).min(end - self.length).max(start)
    }

    fn joined(mut self, after: Block) -> Self {
        self.starts += after.starts - self.length * after.labels.len() as f64;
        self.length += after.length;
        self.labels.extend(after.labels);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn near_wishes_share_their_distance() {
        let wishes = [50.0, 52.0, 90.0].map(|middle| Wish { middle, length: 10.0 });
        assert_eq!(apart(&wishes, 0.0, 100.0), [46.0, 56.0, 90.0]);
        assert_eq!(apart(&wishes, 0.0, 92.0), [46.0, 56.0, 87.0]);
    }

    proptest! {
        #[test]
        fn never_overlap_and_stay_inside(middles in proptest::collection::vec(-50.0..350.0, 0..12), length in 1.0..25.0) {
            let wishes: Vec<Wish> = middles.iter().map(|&middle| Wish { middle, length }).collect();
            let mut placed = apart(&wishes, 0.0, 300.0);
            placed.sort_by(f64::total_cmp);
            prop_assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= length - 1e-9));
            prop_assert!(placed.iter().all(|&at| at >= length / 2.0 - 1e-9 && at <= 300.0 - length / 2.0 + 1e-9));
        }
    }
}
