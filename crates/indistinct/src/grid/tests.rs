use super::*;

fn facts(step: Option<f64>, atoms: &[f64]) -> ColumnFacts {
    ColumnFacts { step, atoms: atoms.to_vec(), ..ColumnFacts::default() }
}

#[test]
fn positions_and_values_are_inverse_and_ordered() {
    for grid in [
        Grid::levels(7),
        Grid::numbers(&facts(Some(1.0), &[0.0, -8.0, 2.5, 999.0]), -3.0, 40.0),
        Grid::numbers(&facts(Some(0.01), &[0.0]), 0.2, 5.01),
        Grid::numbers(&facts(Some(1e6), &[]), 1.7e15, 1.7e15 + 3e8),
        Grid::numbers(&facts(None, &[0.0, -1.0, 0.5]), -1.0, 1.0),
        Grid::numbers(&facts(Some(0.3), &[]), -0.9, 3.0),
        Grid::numbers(&facts(None, &[]), 3.25, 3.25),
    ] {
        let values: Vec<f64> = (0..grid.len()).map(|position| grid.value(position)).collect();
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{grid:?}");
        for (position, value) in values.iter().enumerate() {
            assert_eq!(grid.position(*value), Some(position), "{grid:?}");
        }
        let text = serde_json::to_string(&grid).unwrap();
        assert_eq!(serde_json::from_str::<Grid>(&text).unwrap(), grid, "{text}");
    }
}

#[test]
fn the_step_keeps_decimals_and_the_ends_hold() {
    let grid = Grid::numbers(&facts(Some(0.01), &[]), 0.2, 5.01);
    assert_eq!((grid.len(), grid.value(0), grid.value(481)), (482, 0.2, 5.01));
    assert_eq!(grid.value(grid.position(0.29).unwrap()), 0.29);
    assert_eq!((grid.position(-1e300), grid.position(1e300)), (Some(0), Some(481)));
    assert_eq!((grid.position(f64::NAN), grid.position(f64::INFINITY)), (None, None));
    let grid = Grid::numbers(&facts(Some(1.0), &[-8.0]), 0.5, 3.5);
    assert_eq!((grid.len(), grid.value(0), grid.value(1), grid.value(3)), (4, -8.0, 1.0, 3.0));
    assert_eq!(grid.atoms(), [0]);
    assert_eq!(grid.position(-9.0), Some(1), "beyond the grid is its end, not an atom");
}

#[test]
fn extreme_ranges_do_no_harm() {
    for step in [None, Some(1.0), Some(1e-300), Some(1e300)] {
        for (low, high) in [(f64::MIN, f64::MAX), (0.0, 0.0), (5.0, -5.0), (0.0, f64::from_bits(1))] {
            let grid = Grid::numbers(&facts(step, &[f64::NAN, 1.0]), low, high);
            for value in [f64::MIN, -1.0, 0.0, f64::from_bits(1), 1.0, f64::MAX] {
                assert!(grid.position(value).unwrap() < grid.len());
            }
            assert!(grid.value(0).is_finite() && grid.value(usize::MAX).is_finite());
        }
    }
}

#[test]
fn places_leave_out_strangers() {
    let grid = Grid::numbers(&facts(Some(1.0), &[-8.0, 2.0, 2.5, 999.0]), 0.0, 4.0);
    let places: Vec<usize> = (0..=grid.len()).map(|position| grid.place(position)).collect();
    assert_eq!((places, grid.places()), (vec![0, 0, 1, 2, 3, 3, 4, 5, 5], 5));
}

#[test]
fn an_extended_grid_is_the_same_where_it_was() {
    let grid = Grid::numbers(&facts(Some(0.01), &[-8.0, 0.5]), 0.2, 5.0);
    let (extended, below, wider) = grid.extended(30.0, 20.0);
    assert_eq!((below, wider, extended.len()), (30.0, 1.0, grid.len() + 50));
    assert_eq!((extended.value(1), extended.value(531)), (-0.1, 5.2));
    assert_eq!(extended.value(extended.position(0.29).unwrap()), 0.29);
    let grid = Grid::numbers(&facts(None, &[]), 0.0, 65_536.0);
    let (extended, below, wider) = grid.extended(16_384.0, 49_152.0);
    assert_eq!((below, wider, extended.len()), (16_384.0, 2.0, grid.len()));
    assert_eq!((extended.value(0), extended.value(65_535)), (-16_383.0, 114_687.0));
    for (low, high) in [(-f64::MAX, f64::MAX), (0.0, f64::MAX), (1e300, 1.1e300)] {
        for step in [None, Some(1e300), Some(1.0), Some(1e-300)] {
            let (extended, ..) = Grid::numbers(&facts(step, &[]), low, high).extended(1e17, 1e17);
            assert!(extended.value(0).is_finite() && extended.value(usize::MAX).is_finite());
        }
    }
}

#[test]
fn a_grid_from_a_file_is_checked() {
    for text in [
        r#"{"spacing":"lattice","count":0}"#,
        r#"{"spacing":"lattice","count":3,"step":-1.0}"#,
        r#"{"spacing":"levels","count":3,"atoms":[1.0]}"#,
    ] {
        assert!(serde_json::from_str::<Grid>(text).is_err(), "{text}");
    }
}

#[test]
fn whole_numbers_stay_whole_wherever_they_lie() {
    let ends =
        [i64::MIN + 1, i64::MIN + 2, -(1 << 60), -(1 << 53) - 1, -7, 0, 1, 1 << 53, (1 << 53) + 1, i64::MAX];
    let mut checked = 0;
    for step in [None, Some(0.5), Some(1.0), Some(3.0), Some(1e6)] {
        for (low, reach) in
            ends.into_iter().flat_map(|low| [0, 1, 40, 1 << 52, i64::MAX].map(|reach| (low, reach)))
        {
            let facts = facts(step, &[0.0, (1_i64 << 60) as f64, 2.5, -8.0]);
            let grid = Grid::whole(&facts, low, low.saturating_add(reach));
            let text = serde_json::to_string(&grid).unwrap();
            assert_eq!(serde_json::from_str::<Grid>(&text).unwrap(), grid, "{text}");
            for value in ends.into_iter().flat_map(|end| [-1, 0, 1].map(|by| end.saturating_add(by))) {
                assert!(grid.position_of_whole(value) < grid.len());
            }
            let mut last = None;
            for position in (0..grid.len()).step_by(grid.len() / 37 + 1).chain([grid.len() - 1]) {
                let Some(value) = grid.whole_value(position) else { continue };
                assert_eq!(grid.position_of_whole(value), position, "{grid:?}");
                assert!(last.is_none_or(|last| last <= value), "{grid:?}");
                last = Some(value);
                checked += 1;
            }
            let (extended, below, wider) = grid.extended(1e17, 1e17);
            assert!(extended.position_of_whole(low) < extended.len() && below >= 0.0 && wider >= 1.0);
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn multiples_far_from_zero_are_round() {
    let facts = facts(Some(1.0), &[]);
    let low = (1 << 60) + 7;
    let grid = Grid::whole(&facts, low, low + 999);
    for every in [5, 10, 100] {
        let comb = grid.multiples(every).unwrap();
        for place in 0..1000 {
            assert_eq!(comb.holds(place), (low + place as i64) % every as i64 == 0);
        }
    }
}

#[test]
fn an_origin_from_a_file_is_checked() {
    for text in [
        r#"{"spacing":"lattice","count":3,"step":0.5,"origin":7}"#,
        r#"{"spacing":"lattice","count":3,"step":2.0,"origin":7}"#,
        r#"{"spacing":"cells","count":3,"origin":7}"#,
        r#"{"spacing":"lattice","count":3,"low":1e300,"origin":7}"#,
    ] {
        assert!(serde_json::from_str::<Grid>(text).is_err(), "{text}");
    }
}
