//! Size and alignment of resource descriptions, and the messages of the runtime about them.

use crate::Error;
use crate::world::WorldOptions;
use serde::Deserialize;
use serde_json::{Value, json};
use taut_runtime::{AllocationKind, Settings, alloc_info};
use taut_schemas::format::Format;
use taut_schemas::{Dimension, Driver, ResourceDesc, ResourceFlags, TextureLayout, mark, unknown_name};

/// One input line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "Line")]
struct AllocInfoLine {
    #[serde(default)]
    id: Value,
    descs: Vec<DescLine>,
    #[serde(default)]
    kind: Kind,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    Placed,
    Committed,
}

/// Description of a resource in an input line. Enumerations take the name of d3d12.h without its prefix, or the number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DescLine {
    dimension: Code,
    #[serde(default)]
    alignment: u64,
    width: u64,
    #[serde(default = "one")]
    height: u32,
    #[serde(default = "one")]
    depth_or_array_size: u16,
    #[serde(default = "one")]
    mip_levels: u16,
    #[serde(default)]
    format: Code,
    #[serde(default = "one")]
    sample_count: u32,
    #[serde(default)]
    sample_quality: u32,
    #[serde(default)]
    layout: Code,
    #[serde(default)]
    flags: u32,
}

fn one<T: From<u8>>() -> T {
    T::from(1)
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Code {
    Number(u32),
    Name(String),
}

impl Default for Code {
    fn default() -> Self {
        Code::Number(0)
    }
}

impl Code {
    fn resolve(&self, what: &str, names: &[(u32, &str)]) -> Result<u32, String> {
        let name = match self {
            Code::Number(number) => return Ok(*number),
            Code::Name(name) => name,
        };
        // `_64KB_STANDARD_SWIZZLE` begins with an underscore only because a Rust name cannot begin with a digit.
        let bare = |known: &str| known.trim_start_matches('_') == name.trim_start_matches('_');
        match names.iter().find(|(_, known)| bare(known)) {
            Some((value, _)) => Ok(*value),
            None => {
                let names: Vec<&str> = names.iter().map(|(_, name)| name.trim_start_matches('_')).collect();
                Err(unknown_name(what, name, &names))
            }
        }
    }
}

impl DescLine {
    fn desc(&self) -> Result<ResourceDesc, String> {
        Ok(ResourceDesc {
            dimension: Dimension(self.dimension.resolve("dimension", Dimension::NAMES)?),
            alignment_bytes: self.alignment,
            width: self.width,
            height: self.height,
            depth_or_array_size: self.depth_or_array_size,
            mip_levels: self.mip_levels,
            format: Format(self.format.resolve("format", Format::NAMES)?),
            sample_count: self.sample_count,
            sample_quality: self.sample_quality,
            layout: TextureLayout(self.layout.resolve("layout", TextureLayout::NAMES)?),
            flags: ResourceFlags(self.flags),
        })
    }
}

/// Driver and settings that descriptions are answered by.
pub struct AllocInfo {
    driver: Box<dyn Driver>,
    settings: Settings,
}

impl AllocInfo {
    /// Finds the driver and the rules.
    ///
    /// # Errors
    /// An option is wrong, or a profile cannot be read.
    pub fn new(world: &WorldOptions) -> Result<AllocInfo, Error> {
        let (profile, settings) = world.single()?;
        Ok(AllocInfo { driver: taut_runtime::driver(&profile), settings })
    }

    /// Answers an input line, a JSON object with descriptions.
    ///
    /// # Errors
    /// The line is invalid; its id, if it has one, and the reason.
    pub fn answer(&self, line: &[u8]) -> Result<Value, (Value, String)> {
        answer(line, &self.settings, &*self.driver)
    }
}

fn answer(line: &[u8], settings: &Settings, driver: &dyn Driver) -> Result<Value, (Value, String)> {
    let parsed: AllocInfoLine = serde_json::from_slice(line).map_err(|error| {
        let id = serde_json::from_slice::<Value>(line).ok().and_then(|value| value.get("id").cloned());
        (id.unwrap_or_default(), error.to_string())
    })?;
    let kind = match parsed.kind {
        Kind::Placed => AllocationKind::Placed,
        Kind::Committed => AllocationKind::Committed,
    };
    let descs: Result<Vec<ResourceDesc>, String> = parsed.descs.iter().map(DescLine::desc).collect();
    let descs = descs.map_err(|error| (parsed.id.clone(), error))?;
    let info = alloc_info(settings, driver, &descs, kind);
    let infos: Vec<Value> = info
        .infos
        .iter()
        .map(|one| {
            json!({
                "offset_bytes": one.offset_bytes,
                "size_bytes": one.size_bytes,
                "alignment_bytes": one.alignment_bytes,
            })
        })
        .collect();
    let mut answer = json!({
        "id": parsed.id,
        "hr": info.hr.to_string(),
        "size_bytes": info.size_bytes,
        "alignment_bytes": info.alignment_bytes,
        "infos": infos,
        "messages": info.messages.iter().map(message).collect::<Vec<_>>(),
    });
    // Absent without violations: few drivers violate a rule.
    if !info.violations.is_empty() {
        answer["violations"] = info.violations.iter().map(violation).collect();
    }
    Ok(answer)
}

/// Builds the input line that queries these resources.
pub(crate) fn line(id: &str, descs: &[ResourceDesc], kind: AllocationKind) -> Value {
    let descs: Vec<Value> = descs.iter().map(desc_line).collect();
    let kind = match kind {
        AllocationKind::Placed => "placed",
        AllocationKind::Committed => "committed",
    };
    json!({"id": id, "descs": descs, "kind": kind})
}

fn desc_line(desc: &ResourceDesc) -> Value {
    // Names instead of numbers where the header has one, as a person would write the line.
    let code = |value: u32, names: &[(u32, &str)]| match names.iter().find(|(known, _)| *known == value) {
        Some((_, name)) => json!(name.trim_start_matches('_')),
        None => json!(value),
    };
    json!({
        "dimension": code(desc.dimension.0, Dimension::NAMES),
        "alignment": desc.alignment_bytes,
        "width": desc.width,
        "height": desc.height,
        "depth_or_array_size": desc.depth_or_array_size,
        "mip_levels": desc.mip_levels,
        "format": code(desc.format.0, Format::NAMES),
        "sample_count": desc.sample_count,
        "sample_quality": desc.sample_quality,
        "layout": code(desc.layout.0, TextureLayout::NAMES),
        "flags": desc.flags.0,
    })
}

fn message(message: &mark::DebugMessage) -> Value {
    json!({
        "severity": format!("{:?}", message.severity),
        "message_id": message.message_id.0,
        "name": format!("{:?}", message.message_id),
        "description": message.description,
    })
}

fn violation(violation: &mark::DriverViolation) -> Value {
    json!({
        "rule": violation.rule,
        "lint": violation.lint,
        "found": violation.found,
        "min": violation.min,
        "max": violation.max,
        "description": violation.description,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_line_parses_to_its_description() {
        for format in Format::NAMES.iter().map(|(value, _)| *value).chain([999]) {
            let desc = ResourceDesc {
                dimension: Dimension::TEXTURE2D,
                alignment_bytes: 4096,
                width: 7,
                height: 5,
                depth_or_array_size: 3,
                mip_levels: 0,
                format: Format(format),
                sample_count: 4,
                sample_quality: 1,
                layout: TextureLayout::_64KB_STANDARD_SWIZZLE,
                flags: ResourceFlags(0x401),
            };
            let parsed: Result<AllocInfoLine, _> =
                serde_json::from_value(line("x", &[desc], AllocationKind::Committed));
            let back = parsed.map_err(|error| error.to_string()).and_then(|line| line.descs[0].desc());
            assert_eq!(back, Ok(desc));
        }
    }
}
