//! Protobuf wire format, decoded without a schema.

/// Value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire<'a> {
    Varint(u64),
    Fixed64(u64),
    Bytes(&'a [u8]),
}

impl<'a> Wire<'a> {
    pub fn number(self) -> u64 {
        match self {
            Wire::Varint(number) | Wire::Fixed64(number) => number,
            Wire::Bytes(bytes) => panic!("expected a number, found {} bytes", bytes.len()),
        }
    }

    pub fn bytes(self) -> &'a [u8] {
        match self {
            Wire::Bytes(bytes) => bytes,
            number => panic!("expected bytes, found {number:?}"),
        }
    }

    pub fn text(self) -> String {
        String::from_utf8(self.bytes().to_vec()).unwrap()
    }
}

/// The fields of a message. Each must be in `published`, as number and wire type (0: varint, 1: eight bytes, 2: bytes).
pub fn message<'a>(mut bytes: &'a [u8], published: &[(u64, u8)]) -> Vec<(u64, Wire<'a>)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let (number, kind) = (key >> 3, (key & 7) as u8);
        assert!(published.contains(&(number, kind)), "field {number} of wire type {kind}, expected {published:?}");
        let value = match kind {
            0 => Wire::Varint(varint(&mut bytes)),
            1 => Wire::Fixed64(u64::from_le_bytes(take(&mut bytes, 8).try_into().unwrap())),
            _ => {
                let length = varint(&mut bytes) as usize;
                Wire::Bytes(take(&mut bytes, length))
            }
        };
        fields.push((number, value));
    }
    fields
}

/// The single value of a field.
pub fn only<'a>(fields: &[(u64, Wire<'a>)], number: u64) -> Option<Wire<'a>> {
    let mut values = fields.iter().filter(|(known, _)| *known == number).map(|(_, value)| *value);
    let value = values.next();
    assert_eq!(values.next(), None, "field {number} comes twice");
    value
}

/// All values of a field.
pub fn all<'f, 'a>(fields: &'f [(u64, Wire<'a>)], number: u64) -> impl Iterator<Item = Wire<'a>> + use<'f, 'a> {
    fields.iter().filter(move |(known, _)| *known == number).map(|(_, value)| *value)
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (taken, rest) = bytes.split_at(length);
    *bytes = rest;
    taken
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = take(bytes, 1)[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return number;
        }
    }
    panic!("a varint of more than ten bytes")
}
