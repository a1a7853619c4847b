//! What is done alike in every order.

use alloc::vec::Vec;

/// Keeps the elements that lie inside no other; of equal ones, the first.
pub(crate) fn maximal<T>(elements: Vec<T>, contains: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(elements.len());
    for element in elements {
        if kept.iter().any(|other| contains(other, &element)) {
            continue;
        }
        kept.retain(|other| !contains(&element, other));
        kept.push(element);
    }
    kept
}
