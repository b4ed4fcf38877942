//! Tries all pairs of rows of coarse grids: no sum moves by more than is stated, and the stated bounds are nearly
//! attained.

use super::*;

/// All rows of `columns` whole numbers in [-grid, grid].
fn rows(columns: usize, grid: i64) -> Vec<Vec<i64>> {
    let mut found = vec![Vec::new()];
    for _ in 0..columns {
        let extended = |row: &Vec<i64>| {
            (-grid..=grid).map(|u| [row.as_slice(), &[u]].concat()).collect::<Vec<Vec<i64>>>()
        };
        found = found.iter().flat_map(extended).collect();
    }
    found
}

fn of(sums: Sums, table: &[&[i64]], grid: i64) -> Vec<i64> {
    let mut totals = Totals::new(table[0].len());
    for row in table {
        totals.add(row, grid);
    }
    sums.of_totals(&totals, grid)
}

/// The largest sum of absolute moves, and the largest move, over all substitutions in tables with `others`.
fn moves(sums: Sums, columns: usize, grid: i64, others: &[&[i64]]) -> (u64, u64) {
    let rows = rows(columns, grid);
    let lists: Vec<Vec<i64>> =
        rows.iter().map(|row| of(sums, &[&[row.as_slice()], others].concat(), grid)).collect();
    let (mut together, mut each) = (0, 0);
    for (place, list) in lists.iter().enumerate() {
        for other in &lists[..place] {
            let moved = || list.iter().zip(other).map(|(a, b)| a.abs_diff(*b));
            together = together.max(moved().sum());
            each = each.max(moved().max().unwrap_or(0));
        }
    }
    (together, each)
}

#[test]
fn moments_move_by_no_more_than_is_stated_together() {
    for (columns, grids) in [(1, &[1, 2, 3, 7, 50, 400][..]), (2, &[1, 2, 3, 6, 9, 12]), (3, &[1, 2, 4])] {
        for &grid in grids {
            let stated = Sums::Moments.bound(columns, grid as u64).units().get();
            let (together, _) = moves(Sums::Moments, columns, grid, &[]);
            assert!(together <= stated, "{columns} columns on {grid}: {together} > {stated}");
            if grid == *grids.last().unwrap() {
                assert!(together * 100 > stated * 80, "{columns} columns on {grid}: {together} of {stated}");
            }
        }
    }
    // 9/4, 16/3 and 75/8 in real numbers.
    let stated = |q| Sums::Moments.bound(q, 24).units().get() - (q * (q + 1) / 2) as u64;
    assert_eq!([stated(1), stated(2), stated(3)], [54, 128, 225]);
}

#[test]
fn covariances_move_by_no_more_than_is_stated_each_and_together() {
    for grid in [1, 2, 3, 5] {
        for others in [
            vec![],
            vec![vec![grid, grid]; 3],
            vec![vec![grid, -grid], vec![-grid, -grid]],
            vec![vec![0, 1]; 7],
        ] {
            let others: Vec<&[i64]> = others.iter().map(Vec::as_slice).collect();
            let (together, each) = moves(Sums::Covariances, 2, grid, &others);
            assert!(each <= 4 * grid as u64 + 1, "{each} on {grid}");
            assert!(together <= Sums::Covariances.bound(2, grid as u64).units().get());
        }
        // Attained, but for 1/n, by the row that leaves many equal ones.
        let equal = [grid, grid];
        let many = vec![equal.as_slice(); 200];
        let (_, each) = moves(Sums::Covariances, 2, grid, &many);
        assert!(each >= 4 * grid as u64 - 1, "{each} on {grid}");
    }
}

#[test]
fn sums_of_regressions_move_by_no_more_than_is_stated_each() {
    for (columns, grids) in [(2, &[1, 2, 3, 8][..]), (3, &[1, 2, 4])] {
        for &grid in grids {
            for response in 0..columns {
                let sums = Sums::Regression { response };
                let (_, each) = moves(sums, columns, grid, &[]);
                assert_eq!(each, sums.bound(columns, grid as u64).units().get(), "{columns} on {grid}");
            }
        }
    }
}

#[test]
fn the_published_bound_of_the_squared_error_covers_a_substitution() {
    for (columns, grids) in [(2, &[1, 2, 3, 8][..]), (3, &[1, 2, 4])] {
        for &grid in grids {
            for response in 0..columns {
                let sums = Sums::SquaredError { response };
                let (together, _) = moves(sums, columns, grid, &[]);
                let d = columns as u64;
                assert_eq!(sums.bound(columns, grid as u64).units().get(), (2 * d * d + 4 * d) * grid as u64);
                assert!(together <= sums.bound(columns, grid as u64).units().get());
            }
        }
    }
}

#[test]
fn lists_have_the_documented_order() {
    // Three columns, two rows, at 4 units to one: values 0.5, -1, 0.25 and 1, 0.75, -0.5.
    let table: [&[i64]; 2] = [&[2, -4, 1], &[4, 3, -2]];
    let real = |sums: Sums| -> Vec<f64> {
        let unit = sums.unit_of(3).into_iter().map(|unit| unit * GRID as f64 / 1024.0);
        // On a fine grid nothing is rounded here.
        let fine: Vec<Vec<i64>> = table.iter().map(|row| row.iter().map(|u| u * 256).collect()).collect();
        let fine: Vec<&[i64]> = fine.iter().map(Vec::as_slice).collect();
        of(sums, &fine, 1024).into_iter().zip(unit).map(|(sum, unit)| sum as f64 * unit).collect()
    };
    assert_eq!(real(Sums::Moments), [1.5, -0.25, -0.25, 1.25, 0.25, 1.5625, -0.375, -0.625, 0.3125]);
    assert_eq!(
        real(Sums::Regression { response: 1 }),
        [1.5, -0.25, -0.25, 1.25, -0.375, 0.3125, 0.25, -0.625]
    );
    assert_eq!(
        real(Sums::SquaredError { response: 2 }),
        [2.0, 1.5, -0.25, 1.5, 1.25, 0.25, -0.25, 0.25, 1.5625, 0.5, 0.75, 1.25]
    );
    assert_eq!(
        real(Sums::Covariances),
        [1.5, -0.25, -0.25, 0.125, 0.4375, 1.53125, -0.1875, -0.65625, 0.28125]
    );
}
