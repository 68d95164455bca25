//! XPRESS: blocks that an encoder of the test writes.

use proptest::prelude::*;
use taut_etl::decompress;

/// Literals and matches of a block.
#[derive(Debug, Clone)]
enum Token {
    Literal(u8),
    /// A match of `length` bytes, `distance` back, or as far as there are bytes.
    Match {
        distance: usize,
        length: usize,
    },
}

/// Block and content of tokens, by MS-XCA 2.4.
#[derive(Default)]
struct Encoder {
    block: Vec<u8>,
    content: Vec<u8>,
    flags_at: usize,
    flag_count: u32,
    /// Position of a byte whose high half is free.
    half: Option<usize>,
}

impl Encoder {
    fn token(&mut self, token: &Token) {
        if self.flag_count.is_multiple_of(32) {
            self.flags_at = self.block.len();
            self.block.extend([0; 4]);
        }
        let bit = 31 - self.flag_count % 32;
        self.flag_count += 1;
        match *token {
            Token::Match { distance, length } if !self.content.is_empty() => {
                self.block[self.flags_at + bit as usize / 8] |= 1 << (bit % 8);
                self.copied(distance.min(self.content.len()), length);
            }
            Token::Match { .. } => self.literal(b'm'),
            Token::Literal(byte) => self.literal(byte),
        }
    }

    fn literal(&mut self, byte: u8) {
        self.block.push(byte);
        self.content.push(byte);
    }

    fn copied(&mut self, distance: usize, length: usize) {
        let stored = length - 3;
        self.block.extend((((distance - 1) << 3 | stored.min(7)) as u16).to_le_bytes());
        if stored >= 7 {
            let half = (stored - 7).min(15) as u8;
            match self.half.take() {
                Some(at) => self.block[at] |= half << 4,
                None => {
                    self.half = Some(self.block.len());
                    self.block.push(half);
                }
            }
            if half == 15 {
                self.block.push((stored - 22).min(255) as u8);
            }
            if stored - 7 >= 15 && stored - 22 >= 255 {
                self.block.extend((stored as u16).to_le_bytes());
            }
        }
        (0..length).for_each(|_| self.content.push(self.content[self.content.len() - distance]));
    }
}

fn token() -> impl Strategy<Value = Token> {
    let length = prop_oneof![8 => 3_usize..20, 2 => 20_usize..300, 1 => 300_usize..2_000];
    let distance = prop_oneof![3 => 1_usize..20, 2 => 1_usize..8_193];
    prop_oneof![
        3 => any::<u8>().prop_map(Token::Literal),
        2 => (distance, length).prop_map(|(distance, length)| Token::Match { distance, length }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_block_decompresses_to_its_content_and_a_cut_one_is_an_error(
        tokens in proptest::collection::vec(token(), 1..120),
        cut in 1_usize..200,
    ) {
        let mut encoder = Encoder::default();
        tokens.iter().for_each(|token| encoder.token(token));
        let Encoder { block, content, .. } = encoder;
        let mut output = vec![0xEE; content.len()];
        prop_assert_eq!(decompress(&block, &mut output), Ok(()));
        prop_assert!(output == content);
        // A shorter output ends within the block or at a token; the bytes before are the content's.
        let short = content.len().saturating_sub(cut);
        let mut output = vec![0xEE; short];
        if decompress(&block, &mut output).is_ok() {
            prop_assert!(output == content[..short]);
        }
        let mut output = vec![0xEE; content.len()];
        prop_assert!(decompress(&block[..block.len().saturating_sub(cut)], &mut output).is_err());
    }
}
