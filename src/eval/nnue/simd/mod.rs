//! The network's arithmetic: three whole functions for each instruction set, chosen at run time.
//!
//! | function | computes |
//! |---|---|
//! | update | child = parent + rows of one list - rows of another, in one pass |
//! | forward | sum over both halves of v * v * w, v = clamp(accumulator, 0, `QA`) |
//! | small layers | output of the second and third layer, from the squares of v |
//!
//! All integers wrap, in 16 bits (accumulators) and 32 bits (output), so that order does not matter
//! and every instruction set gives the same integers. This is the only module of the network with
//! `unsafe` code.

use super::format::QA;
use super::small_layers::SmallLayers;
use crate::huge_pages::Plain;

#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

/// The number of values in a [`Block`].
pub const LANES: usize = 32;

/// 32 values of an accumulator or of a row of weights, aligned to a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

// SAFETY: a block is an array of integers, aligned to 64 bytes.
unsafe impl Plain for Block {}

impl Block {
    /// 32 zeros.
    pub const ZERO: Block = Block([0; LANES]);
}

/// The weights from a block of both accumulators to a neuron of the second layer: for eight
/// activations of the side to move, then for eight of its opponent, and so on. That is the order in
/// which instructions pack two vectors of 16-bit numbers into one of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct WeightBlock(pub [i8; 2 * LANES]);

impl WeightBlock {
    /// Returns the index of the weight of a lane of the side to move (0) or of its opponent (1).
    pub const fn index(side: usize, lane: usize) -> usize {
        lane / 8 * 16 + side * 8 + lane % 8
    }
}

/// The instruction sets with their own kernels. [`Kernel::available`] tells which of them can be
/// used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InstructionSet {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

/// The arithmetic functions for an instruction set that this processor supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(InstructionSet);

/// Calls one of the three functions in the version for the kernel's instruction set.
macro_rules! dispatch {
    ($kernel:expr, $function:ident($($argument:expr),*)) => {
        match $kernel.0 {
            InstructionSet::Portable => portable::$function($($argument),*),
            // SAFETY: every x86-64 processor has SSE2.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse2 => unsafe { x86::sse2::$function($($argument),*) },
            // SAFETY: `Kernel::available` returns this kernel only if the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { x86::avx2::$function($($argument),*) },
            // SAFETY: `Kernel::available` returns this kernel only if the processor has AVX-512 F
            // and BW.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { x86::avx512::$function($($argument),*) },
            // SAFETY: `Kernel::available` returns this kernel only if the processor has AVX-512 F,
            // BW and VNNI.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512Vnni => unsafe { x86::avx512_vnni::$function($($argument),*) },
            // SAFETY: Rust's AArch64 targets with an operating system have NEON.
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => unsafe { neon::$function($($argument),*) },
        }
    };
}

impl Kernel {
    /// Returns all kernels that this processor can run, the fastest last.
    pub fn available() -> Vec<Kernel> {
        let sets = [
            (InstructionSet::Portable, true),
            #[cfg(target_arch = "x86_64")]
            (InstructionSet::Sse2, true),
            #[cfg(target_arch = "x86_64")]
            (InstructionSet::Avx2, std::is_x86_feature_detected!("avx2")),
            #[cfg(target_arch = "x86_64")]
            (
                InstructionSet::Avx512,
                std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512bw"),
            ),
            #[cfg(target_arch = "x86_64")]
            (
                InstructionSet::Avx512Vnni,
                std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512bw")
                    && std::is_x86_feature_detected!("avx512vnni"),
            ),
            #[cfg(target_arch = "aarch64")]
            (InstructionSet::Neon, true),
        ];
        let available = sets.into_iter().filter(|(_, available)| *available);
        available.map(|(set, _)| Kernel(set)).collect()
    }

    /// Returns the fastest kernel for this processor.
    pub fn best() -> Kernel {
        let portable = Kernel(InstructionSet::Portable);
        Kernel::available().pop().unwrap_or(portable)
    }

    /// Returns the name of the instruction set.
    pub const fn name(self) -> &'static str {
        match self.0 {
            InstructionSet::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse2 => "SSE2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512Vnni => "AVX-512 VNNI",
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => "NEON",
        }
    }

    /// Computes `child = parent + adds - subs`, where `adds` and `subs` are the numbers of rows of
    /// `weights`. A row is as long as the accumulators.
    #[inline]
    pub fn update(
        self,
        parent: &[Block],
        child: &mut [Block],
        weights: &[Block],
        adds: &[u16],
        subs: &[u16],
    ) {
        dispatch!(self, update(parent, child, weights, adds, subs));
    }

    /// Computes the output before bias and scale: the sum of v * v * w over the accumulators of the
    /// side to move (`us`, with the first half of `weights`) and of its opponent, with v =
    /// clamp(accumulator, 0, `QA`). The weights are within +-127, so that v * w fits 16 bits.
    #[inline]
    pub fn forward(self, us: &[Block], them: &[Block], weights: &[Block]) -> i32 {
        dispatch!(self, forward(us, them, weights))
    }

    /// Computes the output of the small layers from the accumulators of the side to move (`us`) and
    /// of its opponent. The activations of the first layer, the squares of its clamped values, are
    /// rounded to 7 bits.
    #[inline]
    pub fn small_layers(self, us: &[Block], them: &[Block], layers: &SmallLayers) -> f32 {
        dispatch!(self, small_layers(us, them, layers))
    }
}

#[cfg(test)]
mod tests;
