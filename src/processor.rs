//! Processor features: a check for the instruction sets of the build, and prefetching.

/// Prefetches the cache line of a value.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// True if the program was built without the instruction that counts bits. Such a build is slow.
pub const BUILT_WITHOUT_POPCNT: bool =
    cfg!(target_arch = "x86_64") && !cfg!(target_feature = "popcnt");

/// Returns the names of the x86-64-v2 instruction sets that this build uses and this processor
/// lacks; none on other architectures.
///
/// `is_x86_feature_detected!` cannot tell: the compiler replaces it by `true` for features of the
/// baseline.
#[must_use]
pub fn missing_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::__cpuid;
        const ECX: [(u32, &str, bool); 6] = [
            (0, "sse3", cfg!(target_feature = "sse3")),
            (9, "ssse3", cfg!(target_feature = "ssse3")),
            (13, "cmpxchg16b", cfg!(target_feature = "cmpxchg16b")),
            (19, "sse4.1", cfg!(target_feature = "sse4.1")),
            (20, "sse4.2", cfg!(target_feature = "sse4.2")),
            (23, "popcnt", cfg!(target_feature = "popcnt")),
        ];
        let ecx = __cpuid(1).ecx;
        ECX.iter()
            .filter(|(bit, _, used)| *used && ecx >> bit & 1 == 0)
            .map(|&(_, name, _)| name)
            .collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}
