//! What is asked of the processor itself: whether it has the instructions that the program was compiled for, and to fetch
//! memory ahead of its use.

/// Asks the processor to bring a place in memory near.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The instruction sets of x86-64-v2 that this processor lacks, by name; empty when all are there, and on every other
/// architecture.
///
/// `is_x86_feature_detected!` is of no use here: for a feature of the baseline the compiler replaces it by `true`.
#[must_use]
pub fn missing_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::__cpuid;
        const ECX: [(u32, &str); 6] = [
            (0, "sse3"),
            (9, "ssse3"),
            (13, "cmpxchg16b"),
            (19, "sse4.1"),
            (20, "sse4.2"),
            (23, "popcnt"),
        ];
        let ecx = __cpuid(1).ecx;
        ECX.iter()
            .filter(|(bit, _)| ecx >> bit & 1 == 0)
            .map(|&(_, name)| name)
            .collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}
