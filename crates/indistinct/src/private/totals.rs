//! Exact sums over clipped rows.

/// Exact sums over rows on the grid.
pub(crate) struct Totals {
    pub(crate) rows: i128,
    /// Sum u_j.
    pub(crate) linear: Vec<i128>,
    /// For the lower triangle: sum of u_j u_k, of that over the grid rounded row by row, and of twice that.
    products: Vec<[i128; 3]>,
}

impl Totals {
    /// Of no rows yet.
    pub(crate) fn new(columns: usize) -> Self {
        Self { rows: 0, linear: vec![0; columns], products: vec![[0; 3]; columns * (columns + 1) / 2] }
    }

    /// Adds a row, which is on the grid.
    ///
    /// # Guarantee
    /// What is added is a function of the row and of public values alone.
    pub(crate) fn add(&mut self, row: &[i64], grid: i64) {
        let rounded = |product: i64| i128::from((product + grid / 2).div_euclid(grid));
        self.rows += 1;
        let mut products = self.products.iter_mut();
        for (j, &u) in row.iter().enumerate() {
            self.linear[j] += i128::from(u);
            for (&other, sums) in row[..=j].iter().zip(&mut products) {
                let product = u * other;
                sums[0] += i128::from(product);
                sums[1] += rounded(product);
                sums[2] += rounded(2 * product);
            }
        }
    }

    fn at(&self, j: usize, k: usize) -> &[i128; 3] {
        let (j, k) = if j < k { (k, j) } else { (j, k) };
        &self.products[j * (j + 1) / 2 + k]
    }

    pub(crate) fn exact_product(&self, j: usize, k: usize) -> i128 {
        self.at(j, k)[0]
    }

    pub(crate) fn product(&self, j: usize, k: usize) -> i128 {
        self.at(j, k)[1]
    }

    pub(crate) fn doubled_square(&self, j: usize) -> i128 {
        self.at(j, j)[2]
    }
}
