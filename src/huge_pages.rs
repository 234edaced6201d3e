//! Large tables in huge pages: with pages of 2 MiB the processor translates few addresses.

use std::alloc::{Layout, handle_alloc_error};
use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use memmap2::{MmapMut, MmapOptions};

/// The size of a huge page on x86-64 and, with pages of 4 KiB, on AArch64.
const HUGE_PAGE: usize = 2 << 20;

/// Types of plain numbers, which need no more than memory.
///
/// # Safety
/// Every pattern of bits must be a value, and the alignment at most 4 KiB.
pub unsafe trait Plain {}

// SAFETY: the values of a slice are those of its elements.
unsafe impl<T: Plain> Plain for [T] {}

/// A value in memory of its own, in huge pages where the system has them.
#[derive(Debug)]
pub struct HugeBox<T: Plain + ?Sized> {
    /// Points into the memory, which nothing else does.
    value: NonNull<T>,
    _memory: MmapMut,
}

impl<T: Plain> HugeBox<T> {
    /// Returns a value of zeros.
    pub fn zeroed() -> HugeBox<T> {
        let (first, memory) = map(Layout::new::<T>());
        HugeBox {
            value: first.cast(),
            _memory: memory,
        }
    }
}

impl<T: Plain + Copy> HugeBox<[T]> {
    /// Returns a copy of values.
    pub fn copy_of(values: &[T]) -> HugeBox<[T]> {
        let (first, memory) = map(Layout::for_value(values));
        let mut copy = HugeBox {
            value: NonNull::slice_from_raw_parts(first.cast(), values.len()),
            _memory: memory,
        };
        copy.copy_from_slice(values);
        copy
    }
}

impl<T: Plain + Copy> Clone for HugeBox<[T]> {
    fn clone(&self) -> HugeBox<[T]> {
        HugeBox::copy_of(self)
    }
}

impl<T: Plain + ?Sized> Deref for HugeBox<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the memory is mapped as long as `self`, large enough, aligned to a page, and
        // began as zeros; and every pattern of bits is a value.
        unsafe { self.value.as_ref() }
    }
}

impl<T: Plain + ?Sized> DerefMut for HugeBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { self.value.as_mut() }
    }
}

// SAFETY: the value belongs to the box alone, as in a `Box`.
unsafe impl<T: Plain + ?Sized + Send> Send for HugeBox<T> {}
// SAFETY: the same.
unsafe impl<T: Plain + ?Sized + Sync> Sync for HugeBox<T> {}

/// Maps this many bytes of zeros. They are reserved but not touched, so this is instant.
///
/// # Errors
/// Fails when the system refuses.
pub fn zeroed_memory(length: usize) -> io::Result<MmapMut> {
    let memory = MmapOptions::new().len(length).map_anon()?;
    #[cfg(target_os = "linux")]
    {
        // Systems without huge pages use small ones.
        let _ = memory.advise(memmap2::Advice::HugePage);
    }
    Ok(memory)
}

/// Maps zeroed memory for a layout. Ends the process if there is none, as other allocations do.
fn map(layout: Layout) -> (NonNull<u8>, MmapMut) {
    // Linux aligns maps to huge pages if they consist of such.
    let length = layout.size().max(1).next_multiple_of(HUGE_PAGE);
    let Ok(mut memory) = zeroed_memory(length) else {
        handle_alloc_error(layout);
    };
    let Some(first) = NonNull::new(memory.as_mut_ptr()) else {
        handle_alloc_error(layout);
    };
    (first, memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Number(u16);

    // SAFETY: every pattern of 16 bits is a number.
    unsafe impl Plain for Number {}

    #[test]
    fn a_box_begins_with_zeros_and_keeps_what_is_written() {
        let mut value = HugeBox::<Number>::zeroed();
        assert_eq!(*value, Number(0));
        value.0 = 7;
        assert_eq!(*value, Number(7));
    }

    #[test]
    fn slices_are_copied() {
        let values: Vec<Number> = (0..5_000).map(Number).collect();
        let mut first = HugeBox::copy_of(&values);
        let second = first.clone();
        first[4_999] = Number(1);
        assert_eq!(second[..], values[..]);
        assert_eq!(first[..4_999], values[..4_999]);
        assert!(HugeBox::<[Number]>::copy_of(&[]).is_empty());
    }
}
