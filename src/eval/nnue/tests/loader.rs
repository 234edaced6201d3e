//! Files that are refused, and why.

use proptest::prelude::*;

use super::super::samples::{file, random_file};
use super::super::*;

#[test]
fn every_wrong_header_is_refused_with_its_reason() {
    let good = [32, 11, 1, 1, 255, 400];
    let payload = random_file(32, 1, 60, 1).split_off(HEADER_BYTES);
    let error = |numbers: [u32; 6]| Network::parse(&file(numbers, &payload)).err();
    assert_eq!(error(good), None);
    for width in [0, 31, 33, 1056, u32::MAX] {
        assert_eq!(
            error([width, 8, 1, 0, 255, 400]),
            Some(NetworkError::Width(width))
        );
    }
    for sets in [0, 2, 4, 7, 9, u32::MAX] {
        assert_eq!(
            error([32, sets, 1, 0, 255, 400]),
            Some(NetworkError::InputSets(sets))
        );
    }
    for buckets in [0, 33, u32::MAX] {
        assert_eq!(
            error([32, 8, buckets, 0, 255, 400]),
            Some(NetworkError::Buckets(buckets))
        );
    }
    for small in [2, u32::MAX] {
        assert_eq!(
            error([32, 8, 1, small, 255, 400]),
            Some(NetworkError::SmallLayers { small, buckets: 1 })
        );
    }
    assert_eq!(
        error([32, 8, 1, 0, 181, 400]),
        Some(NetworkError::FirstUnit(181))
    );
    for scale in [0, 65_536] {
        assert_eq!(
            error([32, 8, 1, 0, 255, scale]),
            Some(NetworkError::Scale(scale))
        );
    }
    assert!(matches!(
        error([64, 8, 1, 0, 255, 400]),
        Some(NetworkError::Size { .. })
    ));
    assert!(matches!(
        error([32, 1, 1, 0, 255, 400]),
        Some(NetworkError::Size { .. })
    ));
    assert!(matches!(
        error([32, 11, 1, 0, 255, 400]),
        Some(NetworkError::Size { .. })
    ));
    assert!(matches!(
        error([32, 8, 2, 0, 255, 400]),
        Some(NetworkError::Size { .. })
    ));
}

#[test]
fn damage_is_noticed() {
    let good = random_file(32, 8, 60, 1);
    let broken = |at: usize, bit: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= bit;
        Network::parse(&bytes).err()
    };
    assert_eq!(broken(0, 1), Some(NetworkError::Magic));
    // A 2 or a 3 in place of the 4.
    assert_eq!(broken(13, 6), Some(NetworkError::Old(2)));
    assert_eq!(broken(13, 7), Some(NetworkError::Old(3)));
    for at in [
        HEADER_BYTES - 1,
        HEADER_BYTES,
        good.len() / 2,
        good.len() - 1,
    ] {
        assert!(matches!(
            broken(at, 128),
            Some(NetworkError::Checksum { .. })
        ));
    }
    for length in [0, 15, 16, 47, 48, good.len() - 1] {
        assert!(Network::parse(&good[..length]).is_err(), "{length}");
    }
    let longer = [good.as_slice(), &[0]].concat();
    assert!(matches!(
        Network::parse(&longer),
        Err(NetworkError::Size { .. })
    ));
}

#[test]
fn output_weights_that_overflow_are_refused() {
    let mut payload = random_file(32, 2, 60, 1).split_off(HEADER_BYTES);
    // The sixth weight of the second bucket.
    let at = (11 * 768 + 1) * 32 * 2 + (64 + 5) * 2;
    payload[at..at + 2].copy_from_slice(&(-128_i16).to_le_bytes());
    let error = Network::parse(&file([32, 11, 2, 1, 255, 400], &payload)).err();
    let expected = NetworkError::OutputWeight {
        bucket: 1,
        index: 5,
        weight: -128,
    };
    assert_eq!(error, Some(expected));
}

#[test]
fn output_units_out_of_range_are_refused() {
    let payload = random_file(32, 2, 60, 1).split_off(HEADER_BYTES);
    let second = (11 * 768 + 1) * 32 * 2 + 2 * 64 * 2 + 2 * 4 + 4;
    let error = |unit: u32| {
        let mut payload = payload.clone();
        payload[second..second + 4].copy_from_slice(&unit.to_le_bytes());
        Network::parse(&file([32, 11, 2, 1, 255, 400], &payload)).err()
    };
    for unit in [1, 64, MAX_QB] {
        assert_eq!(error(unit), None);
    }
    for unit in [0, MAX_QB + 1, u32::MAX] {
        assert_eq!(
            error(unit),
            Some(NetworkError::OutputUnit { bucket: 1, unit })
        );
    }
}

#[test]
fn small_layers_with_numbers_out_of_range_are_refused() {
    let payload = random_file(32, 3, 60, 1).split_off(HEADER_BYTES);
    let error = |at: usize, bytes: &[u8]| {
        let mut payload = payload.clone();
        payload[at..at + bytes.len()].copy_from_slice(bytes);
        Network::parse(&file([32, 11, 3, 2, 255, 400], &payload)).err()
    };
    // The sixth weight and the third bias of the second bucket's second layer.
    let layers = payload.len() - (64 * 16 + 4 * (16 + 34 * 32));
    assert_eq!(error(layers + 5, &[129]), None);
    let expected = NetworkError::SecondWeight {
        bucket: 1,
        index: 5,
    };
    assert_eq!(error(layers + 5, &[128]), Some(expected));
    let bias = layers + 64 * 16 + 4 * 2;
    for number in [f32::NAN, f32::INFINITY] {
        let expected = NetworkError::Number {
            bucket: 1,
            index: 2,
            number: number.to_string(),
        };
        assert_eq!(error(bias, &number.to_le_bytes()), Some(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_make_the_loader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(Network::parse(&bytes).err(), Some(NetworkError::Magic));
        let with_magic = [MAGIC.as_slice(), &bytes].concat();
        prop_assert!(Network::parse(&with_magic).is_err());
    }

    #[test]
    fn no_header_makes_the_loader_panic(
        numbers in prop::array::uniform6(prop_oneof![any::<u32>(), 0_u32..100, Just(32), Just(255)]),
        payload in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        prop_assert!(Network::parse(&file(numbers, &payload)).is_err());
    }

    #[test]
    fn any_part_of_a_file_is_refused(share in 0.0..1.0_f64) {
        let file = random_file(32, 1, 60, 1);
        let length = (share * file.len() as f64) as usize;
        prop_assert!(Network::parse(&file[..length]).is_err());
    }
}
