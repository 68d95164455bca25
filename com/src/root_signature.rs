//! Serialised root signatures: the container DXBC with one part, RTS0, whose fields are 32-bit words.

use crate::unsafe_abi::{In, RootParameter, RootSignatureDesc};

/// Size of the container before the part's contents: magic, digest, version, size, number and offset of parts, name and
/// size of the part.
const CONTAINER_BYTES: usize = 44;
/// Offset of the part in the container.
const PART_OFFSET: u32 = 36;
/// Words of the part before the parameters.
const HEAD_WORDS: usize = 6;
/// Words of a parameter: type, visibility, offset of its contents.
const PARAMETER_WORDS: usize = 3;

/// Max number of parameters: each takes one of the 64 words of a root signature.
const MAX_PARAMETERS: u32 = 64;
/// Max number of static samplers, and of ranges of a table: those of all heaps.
const MAX_ELEMENTS: u32 = 1 << 16;

/// D3D_ROOT_SIGNATURE_VERSION_1_0, 1_1 and 1_2.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=3;

/// D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE, 32BIT_CONSTANTS, and the three types of descriptors.
const TABLE: u32 = 0;
const CONSTANTS: u32 = 1;
const FIRST_DESCRIPTOR: u32 = 2;
const LAST_DESCRIPTOR: u32 = 4;

/// Words of the part RTS0.
struct Part {
    version: u32,
    words: Vec<u32>,
}

impl Part {
    fn offset(&self) -> u32 {
        self.words.len() as u32 * 4
    }

    /// Appends elements of `words` words each.
    fn push_elements(&mut self, elements: In<u8>, count: u32, words: usize) -> Option<()> {
        let count = (count <= MAX_ELEMENTS).then_some(count as usize)?;
        self.words.extend(elements.words().list(count * words)?);
        Some(())
    }

    /// Appends a parameter's contents; `None` for a type that does not exist.
    fn push_parameter(&mut self, parameter: RootParameter) -> Option<()> {
        let [first, second, third] = parameter.words();
        match parameter.parameter_type {
            TABLE => {
                let ranges_offset = self.offset() + 8;
                self.words.extend([parameter.num_ranges, ranges_offset]);
                // Version 1.0 has no flags of ranges.
                let range_words = if self.version == 1 { 5 } else { 6 };
                self.push_elements(parameter.ranges, parameter.num_ranges, range_words)
            }
            CONSTANTS => {
                self.words.extend([first, second, third]);
                Some(())
            }
            FIRST_DESCRIPTOR..=LAST_DESCRIPTOR => {
                self.words.extend([first, second]);
                self.words.extend((self.version > 1).then_some(third));
                Some(())
            }
            _ => None,
        }
    }
}

/// Serialises a root signature of a version; `None` for a description that is no root signature.
///
/// The digest of the container is 0: no reader in the simulation compares it.
pub fn serialize(version: u32, desc: RootSignatureDesc) -> Option<Vec<u8>> {
    if !VERSIONS.contains(&version) || desc.num_parameters > MAX_PARAMETERS {
        return None;
    }
    let parameters = desc.parameters.list(desc.num_parameters as usize)?;
    let mut part = Part { version, words: vec![0; HEAD_WORDS + PARAMETER_WORDS * parameters.len()] };
    for (index, parameter) in parameters.iter().enumerate() {
        let head = [parameter.parameter_type, parameter.visibility, part.offset()];
        let begin = HEAD_WORDS + PARAMETER_WORDS * index;
        part.words.get_mut(begin..begin + PARAMETER_WORDS)?.copy_from_slice(&head);
        part.push_parameter(*parameter)?;
    }
    let samplers_offset = part.offset();
    // Version 1.2 has flags of samplers.
    let sampler_words = if version == 3 { 14 } else { 13 };
    part.push_elements(desc.static_samplers, desc.num_static_samplers, sampler_words)?;
    let parameters_offset = HEAD_WORDS as u32 * 4;
    let head = [version, desc.num_parameters, parameters_offset, desc.num_static_samplers, samplers_offset, desc.flags];
    part.words.get_mut(..HEAD_WORDS)?.copy_from_slice(&head);
    Some(container(&part.words))
}

fn container(words: &[u32]) -> Vec<u8> {
    let part_bytes = words.len() * 4;
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0; 16]);
    for word in [1, (CONTAINER_BYTES + part_bytes) as u32, 1, PART_OFFSET] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"RTS0");
    bytes.extend((part_bytes as u32).to_le_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}
