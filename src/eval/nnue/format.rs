//! The file format of networks, and the checks that a file must pass.
//!
//! The build script includes this file, so that a network that is compiled in passes the same
//! checks as one that is loaded. It therefore uses nothing else of the crate.

use thiserror::Error;

/// The first bytes of a network file.
pub const MAGIC: [u8; 16] = *b"Quevedo NNUE 4\0\0";

/// The number of inputs for a king that stays in one bucket.
pub const FEATURES: usize = 768;

/// The number of king buckets, each with its own set of input weights.
pub const KING_BUCKETS: usize = 8;

/// The number of kinds of [marks](super::marks::PieceMarks), each with its own set of input
/// weights.
pub const MARKS: usize = 3;

/// The number of sets of input weights in a network with marks.
pub const ALL_SETS: usize = KING_BUCKETS + MARKS;

/// The quantised value that stands for 1.0 in an accumulator. Activations are clamped to 0..=QA.
pub const QA: i16 = 255;

/// The number of neurons of the second layer, where there is one.
pub const SECOND: usize = 16;

/// The number of neurons of the third layer.
pub const THIRD: usize = 32;

/// The maximum width of an accumulator.
pub const MAX_WIDTH: usize = 1024;

/// The width of an accumulator is a multiple of this.
pub const WIDTH_STEP: usize = 32;

/// The maximum number of sets of output weights.
pub const MAX_BUCKETS: usize = 32;

/// The largest absolute value of a weight to the output: times `QA` it still fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The largest quantised weight to the output that may stand for 1.0. With a larger one the 32 bits
/// of a sum might not be enough for the largest values.
pub const MAX_QB: u32 = 192;

/// The maximum scale K, in centipawns, far beyond any useful one.
const MAX_SCALE: u32 = 65_535;

/// The number of u32 fields in the header.
const NUMBERS: usize = 6;

/// The size of the header: magic, numbers, checksum.
pub const HEADER_BYTES: usize = MAGIC.len() + NUMBERS * 4 + 8;

/// The reasons for which a network file is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// The file does not begin with [`MAGIC`].
    #[error("not a Quevedo network: the file does not begin with \"Quevedo NNUE 4\"")]
    Magic,
    /// The file has an earlier format: 2 is that of networks before the 11th, 3 that of the 11th to
    /// the 14th.
    #[error("a network of an older version of Quevedo: the file begins with \"Quevedo NNUE {0}\"")]
    Old(u8),
    /// The file ends within the header.
    #[error("truncated: {0} bytes, but the header alone has {HEADER_BYTES}")]
    Header(usize),
    /// The accumulator width is not supported.
    #[error("unsupported hidden layer of {0}: must be a multiple of 32 up to {MAX_WIDTH}")]
    Width(u32),
    /// The number of sets of input weights is not supported.
    #[error(
        "unsupported number of sets of input weights {0}: must be 1, {KING_BUCKETS} or {ALL_SETS}"
    )]
    InputSets(u32),
    /// The number of output buckets is not supported.
    #[error("unsupported number of output buckets {0}: must be 1 to {MAX_BUCKETS}")]
    Buckets(u32),
    /// More output buckets with small layers than output buckets.
    #[error("small layers for {small} output buckets of {buckets}")]
    SmallLayers {
        /// The number of output buckets with small layers.
        small: u32,
        /// The number of output buckets.
        buckets: usize,
    },
    /// The first layer is quantised in another unit.
    #[error("unsupported quantisation of the first layer by {0}: must be {QA}")]
    FirstUnit(u32),
    /// The unit of a bucket's output weights is out of range.
    #[error("quantisation of the output of bucket {bucket} by {unit}: must be 1 to {MAX_QB}")]
    OutputUnit {
        /// The output bucket.
        bucket: usize,
        /// The weight that stands for 1.0.
        unit: u32,
    },
    /// The scale is out of range.
    #[error("scale of {0} centipawns: must be 1 to {MAX_SCALE}")]
    Scale(u32),
    /// The size of the file does not match its header.
    #[error("wrong size: {found} bytes, but the header implies {expected}")]
    Size {
        /// The size that the header implies, in bytes.
        expected: usize,
        /// The size of the file, in bytes.
        found: usize,
    },
    /// The weights do not match the checksum in the header.
    #[error("damaged: the checksum is {found:016x} but should be {expected:016x}")]
    Checksum {
        /// The checksum in the header.
        expected: u64,
        /// The checksum of the weights.
        found: u64,
    },
    /// A weight or bias of the small layers is not a finite number.
    #[error("number {index} of the small layers of bucket {bucket} is {number}")]
    Number {
        /// The output bucket.
        bucket: usize,
        /// The index of the number.
        index: usize,
        /// The number as text.
        number: String,
    },
    /// A weight of the second layer is -128, whose products do not fit.
    #[error("weight {index} of the second layer of bucket {bucket} is -128, below -127")]
    SecondWeight {
        /// The output bucket.
        bucket: usize,
        /// The index of the weight.
        index: usize,
    },
    /// An output weight is too large for 16-bit products.
    #[error("output weight {index} of bucket {bucket} is {weight}, beyond +-{MAX_OUTPUT_WEIGHT}")]
    OutputWeight {
        /// The output bucket.
        bucket: usize,
        /// The index of the input, below 2N.
        index: usize,
        /// The weight.
        weight: i16,
    },
}

/// The header of a network file.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// N, the width of an accumulator.
    pub width: usize,
    /// I, the number of sets of input weights.
    pub input_sets: usize,
    /// B, the number of output buckets.
    pub buckets: usize,
    /// S, the number of output buckets with small layers, the first ones.
    pub small_layers: usize,
    /// K, in centipawns.
    pub scale: u32,
    /// The checksum of all that follows the header.
    pub checksum: u64,
}

/// A network file that has passed all checks, in its parts.
#[derive(Clone, Copy, Debug)]
pub struct NetworkFile<'a> {
    /// The header.
    pub header: Header,
    /// 16-bit weights of the first layer.
    pub feature_weights: &'a [u8],
    /// 16-bit biases of the first layer.
    pub feature_biases: &'a [u8],
    /// 16-bit weights to the output.
    pub output_weights: &'a [u8],
    /// 32-bit biases of the output.
    pub output_biases: &'a [u8],
    /// 32-bit units of the output.
    pub output_units: &'a [u8],
    /// The small layers, [`small_layer_bytes`] for each of the first S buckets.
    pub small_layers: &'a [u8],
}

/// The numbers of a bucket's small layers that are floats.
pub const SMALL_LAYER_FLOATS: usize = SECOND + (2 * SECOND + 2) * THIRD;

/// Returns the size of a bucket's small layers: bytes for the second layer's weights, then floats.
pub const fn small_layer_bytes(width: usize) -> usize {
    2 * width * SECOND + 4 * SMALL_LAYER_FLOATS
}

impl NetworkFile<'_> {
    /// Parses a network file.
    ///
    /// # Errors
    /// Fails when the bytes are not a complete, undamaged network of a supported size.
    pub fn parse(bytes: &[u8]) -> Result<NetworkFile<'_>, NetworkError> {
        let (header, payload) = Header::parse(bytes)?;
        let (feature_weights, rest) =
            payload.split_at(header.input_sets * FEATURES * header.width * 2);
        let (feature_biases, rest) = rest.split_at(header.width * 2);
        let (output_weights, rest) = rest.split_at(header.buckets * 2 * header.width * 2);
        let (output_biases, rest) = rest.split_at(header.buckets * 4);
        let (output_units, small_layers) = rest.split_at(header.buckets * 4);
        header.check_output_weights(output_weights)?;
        check_output_units(output_units)?;
        header.check_small_layers(small_layers)?;
        Ok(NetworkFile {
            header,
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
            output_units,
            small_layers,
        })
    }
}

impl Header {
    /// Parses the header and checks the remaining bytes against it.
    fn parse(bytes: &[u8]) -> Result<(Header, &[u8]), NetworkError> {
        for old in [2, 3] {
            if bytes.starts_with(format!("Quevedo NNUE {old}").as_bytes()) {
                return Err(NetworkError::Old(old));
            }
        }
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Magic);
        }
        let (header, payload) = bytes
            .split_first_chunk::<HEADER_BYTES>()
            .ok_or(NetworkError::Header(bytes.len()))?;
        let (numbers, checksum_bytes) = header[MAGIC.len()..].split_at(NUMBERS * 4);
        let mut numbers = numbers
            .as_chunks()
            .0
            .iter()
            .copied()
            .map(u32::from_le_bytes);
        let mut number = || numbers.next().unwrap_or_default();
        let (width, input_sets, buckets, small) = (number(), number(), number(), number());
        let (qa, scale) = (number(), number());
        let header = Header {
            width: checked_width(width)?,
            input_sets: checked_input_sets(input_sets)?,
            buckets: checked_buckets(buckets)?,
            small_layers: checked_small_layers(small, buckets)?,
            scale,
            checksum: checksum_bytes
                .first_chunk()
                .map_or(0, |&bytes| u64::from_le_bytes(bytes)),
        };
        if qa != QA as u32 {
            return Err(NetworkError::FirstUnit(qa));
        }
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(NetworkError::Scale(scale));
        }
        header.check_payload(payload)?;
        Ok((header, payload))
    }

    /// Returns the number of bytes after the header.
    const fn payload_bytes(&self) -> usize {
        (self.input_sets * FEATURES + 1 + 2 * self.buckets) * self.width * 2
            + self.buckets * 2 * 4
            + self.small_layers * small_layer_bytes(self.width)
    }

    fn check_payload(&self, payload: &[u8]) -> Result<(), NetworkError> {
        let (expected, found) = (self.payload_bytes(), payload.len());
        if expected != found {
            return Err(NetworkError::Size {
                expected: HEADER_BYTES + expected,
                found: HEADER_BYTES + found,
            });
        }
        let found = checksum(payload);
        if self.checksum != found {
            return Err(NetworkError::Checksum {
                expected: self.checksum,
                found,
            });
        }
        Ok(())
    }

    /// Rejects small layers with numbers that are not finite, or weights of -128.
    fn check_small_layers(&self, bytes: &[u8]) -> Result<(), NetworkError> {
        let layers = bytes.chunks_exact(small_layer_bytes(self.width));
        for (bucket, layers) in layers.enumerate() {
            let (weights, floats) = layers.split_at(2 * self.width * SECOND);
            if let Some(index) = weights.iter().position(|&byte| byte == 128) {
                return Err(NetworkError::SecondWeight { bucket, index });
            }
            let mut floats = floats.as_chunks().0.iter().copied().map(f32::from_le_bytes);
            if let Some(index) = floats.clone().position(|number| !number.is_finite()) {
                let number = floats.nth(index).map_or(String::new(), |n| n.to_string());
                return Err(NetworkError::Number {
                    bucket,
                    index,
                    number,
                });
            }
        }
        Ok(())
    }

    /// Rejects output weights whose products would overflow 16 bits.
    fn check_output_weights(&self, bytes: &[u8]) -> Result<(), NetworkError> {
        let weights = bytes.as_chunks().0.iter().copied().map(i16::from_le_bytes);
        let allowed = -MAX_OUTPUT_WEIGHT..=MAX_OUTPUT_WEIGHT;
        match weights
            .enumerate()
            .find(|(_, weight)| !allowed.contains(weight))
        {
            None => Ok(()),
            Some((index, weight)) => Err(NetworkError::OutputWeight {
                bucket: index / (2 * self.width),
                index: index % (2 * self.width),
                weight,
            }),
        }
    }
}

/// Rejects units of the output that are out of range.
fn check_output_units(bytes: &[u8]) -> Result<(), NetworkError> {
    let units = bytes.as_chunks().0.iter().copied().map(u32::from_le_bytes);
    let wrong = units
        .enumerate()
        .find(|(_, unit)| !(1..=MAX_QB).contains(unit));
    wrong.map_or(Ok(()), |(bucket, unit)| {
        Err(NetworkError::OutputUnit { bucket, unit })
    })
}

fn checked_width(width: u32) -> Result<usize, NetworkError> {
    let size = width as usize;
    if size == 0 || size > MAX_WIDTH || !size.is_multiple_of(WIDTH_STEP) {
        return Err(NetworkError::Width(width));
    }
    Ok(size)
}

fn checked_input_sets(sets: u32) -> Result<usize, NetworkError> {
    match sets as usize {
        size @ (1 | KING_BUCKETS | ALL_SETS) => Ok(size),
        _ => Err(NetworkError::InputSets(sets)),
    }
}

fn checked_small_layers(small: u32, buckets: u32) -> Result<usize, NetworkError> {
    let buckets = checked_buckets(buckets)?;
    if small as usize > buckets {
        return Err(NetworkError::SmallLayers { small, buckets });
    }
    Ok(small as usize)
}

fn checked_buckets(buckets: u32) -> Result<usize, NetworkError> {
    let size = buckets as usize;
    if size == 0 || size > MAX_BUCKETS {
        return Err(NetworkError::Buckets(buckets));
    }
    Ok(size)
}

/// Returns the output bucket for a number of pieces: equal shares of 2 to 32, the last bucket for
/// any more.
pub const fn output_bucket(pieces: usize, buckets: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 32_usize.div_ceil(buckets);
    if bucket < buckets {
        bucket
    } else {
        buckets - 1
    }
}

/// Computes the checksum of a network file's weights: FNV-1a, 64 bits (Fowler, Noll and Vo; RFC
/// 9923).
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
