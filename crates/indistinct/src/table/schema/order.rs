//! A topological order.

/// An order in which each item comes after all those that it depends on.
///
/// # Errors
/// A circle: each depends on the next, and the last on the first.
pub(super) fn order(depends_on: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let count = depends_on.len();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (one, others) in depends_on.iter().enumerate() {
        for &other in others {
            dependents[other].push(one);
        }
    }
    // What depends on nothing that is left is taken off until nothing is left, or a circle.
    let mut waiting: Vec<usize> = depends_on.iter().map(Vec::len).collect();
    let mut free: Vec<usize> = (0..count).rev().filter(|&one| waiting[one] == 0).collect();
    let mut done = Vec::with_capacity(count);
    let mut left = vec![true; count];
    while let Some(one) = free.pop() {
        left[one] = false;
        done.push(one);
        for &dependent in &dependents[one] {
            waiting[dependent] -= 1;
            if waiting[dependent] == 0 {
                free.push(dependent);
            }
        }
    }
    let Some(start) = left.iter().position(|left| *left) else { return Ok(done) };
    let mut way = vec![start];
    let mut step: Vec<Option<usize>> = vec![None; count];
    step[start] = Some(0);
    loop {
        let last = way[way.len() - 1];
        // What is left depends on something that is left.
        let Some(&next) = depends_on[last].iter().find(|&&other| left[other]) else { return Err(way) };
        if let Some(first) = step[next] {
            return Err(way.split_off(first));
        }
        step[next] = Some(way.len());
        way.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn orders_and_circles() {
        assert_eq!(order(&[]), Ok(vec![]));
        assert_eq!(order(&[vec![2], vec![], vec![1]]), Ok(vec![1, 2, 0]));
        assert_eq!(order(&[vec![1], vec![2], vec![1], vec![]]), Err(vec![1, 2]));
        assert_eq!(order(&[vec![0]]), Err(vec![0]));
        assert_eq!(order(&[vec![1, 1], vec![]]), Ok(vec![1, 0]), "twice is once");
    }
}
