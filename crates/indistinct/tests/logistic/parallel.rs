//! The same result, to the last bit, whatever the number of threads.

use indistinct::discriminator::logistic::{Logistic, Options, fit};
use indistinct::random::Seed;
use indistinct::table::Column;
use rayon::ThreadPoolBuilder;

use super::{normals, stack};

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let mut generator = Seed(21).stream(0);
    let rows = 20_011;
    let mut columns: Vec<Column> =
        (0..4).map(|number| Column::float(&format!("x{number}"), normals(rows, &mut generator))).collect();
    let codes = (0..rows as u32).map(|row| row * row % 7 % 5).collect();
    columns.push(Column::nominal("g", &["a", "b", "c", "d", "e"], codes));
    let stacked = stack(columns, 9000);
    let options = Options::default().with(|options| options.interactions = true);
    let with = |threads: usize| -> Logistic {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&stacked, &options).unwrap())
    };
    let one = with(1);
    assert!(one.converged);
    for threads in [2, 3, 8] {
        assert_eq!(with(threads), one, "{threads} threads");
    }
}
