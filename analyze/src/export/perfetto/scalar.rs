//! Numbers of records as annotations: plain, as pointers, or by their names.

use super::super::json_rows::flags;
use super::interning::{Interning, Sort};
use super::packets::AnnotationValue;
use foldhash::HashMap;
use taut_schemas::{CodecError, Decoder, Role, ScalarSchema, SchemaTable};

/// The annotation form of a number.
pub struct ScalarAnnotation {
    width_bytes: u8,
    form: AnnotationForm,
    /// Interned texts of the numbers so far.
    iids: HashMap<u64, u64>,
}

enum AnnotationForm {
    Number,
    Pointer,
    /// Eight hex digits.
    HResult,
    Named(HashMap<u64, String>),
    Flags(Vec<(u64, String)>),
}

impl ScalarAnnotation {
    pub fn new(schema: &SchemaTable, scalar: &ScalarSchema) -> ScalarAnnotation {
        let names = scalar.code.as_deref().and_then(|name| schema.code(name));
        let form = match (scalar.role, names) {
            (_, Some(names)) if names.flags => AnnotationForm::Flags(names.values.clone()),
            // Reversed, so that the first of two names for a value counts.
            (_, Some(names)) => AnnotationForm::Named(names.values.iter().rev().cloned().collect()),
            (Role::HResult, None) => AnnotationForm::HResult,
            (Role::Address, None) => AnnotationForm::Pointer,
            _ => AnnotationForm::Number,
        };
        ScalarAnnotation { width_bytes: scalar.width_bytes, form, iids: HashMap::default() }
    }

    pub fn read(
        &mut self,
        decoder: &mut Decoder<'_>,
        interning: &mut Interning,
    ) -> Result<AnnotationValue, CodecError> {
        let number = match self.width_bytes {
            1 => decoder.u8()?.into(),
            2 => decoder.u16()?.into(),
            4 => decoder.u32()?.into(),
            _ => decoder.u64()?,
        };
        Ok(self.value(number, interning))
    }

    fn value(&mut self, number: u64, interning: &mut Interning) -> AnnotationValue {
        if let Some(iid) = self.iids.get(&number) {
            return AnnotationValue::TextIid(*iid);
        }
        let text = match &self.form {
            AnnotationForm::Number => None,
            AnnotationForm::Pointer => return AnnotationValue::Pointer(number),
            AnnotationForm::HResult => Some(format!("0x{number:08x}")),
            AnnotationForm::Named(names) => names.get(&number).cloned(),
            AnnotationForm::Flags(names) => flags(names, number),
        };
        let Some(text) = text else { return AnnotationValue::Uint(number) };
        match interning.text(Sort::Text, &text) {
            Some(iid) => {
                self.iids.insert(number, iid);
                AnnotationValue::TextIid(iid)
            }
            None => AnnotationValue::Text(text),
        }
    }
}
