//! Sets of shaders with which a scenario draws.

use super::error::ScenarioError;
use super::expression_text::unknown;
use super::table_text::Table;
use crate::bundled::parameter::material;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_runtime::TomlSource;
use taut_shaders::{BUNDLED, Bundled, Material};
use taut_traces::read_regular_text;
use toml::Spanned;
use toml::de::DeValue;

/// Name of the set of all bundled shaders.
const ALL_BUNDLED: &str = "bundled";

/// Set of shaders that are drawn together.
#[derive(Debug, Clone)]
pub(super) struct ShaderSet {
    pub name: String,
    pub materials: Vec<Arc<Material>>,
    /// True if the set's pipeline states are created before the first phase; false if a step creates them.
    pub from_the_start: bool,
}

/// Sets of a file, by the names that steps use.
pub(super) struct ShaderSets<'a> {
    pub sets: Vec<ShaderSet>,
    /// Files that shaders were read from.
    pub files: Vec<PathBuf>,
    folder: &'a Path,
}

impl<'a> ShaderSets<'a> {
    /// Reads the table `shaders`: each entry is a name or a list of names. Files are searched in the scenario's folder.
    pub fn read(table: Option<&Table<'_, '_>>, folder: &'a Path) -> Result<ShaderSets<'a>, ScenarioError> {
        let mut sets = ShaderSets { sets: Vec::new(), files: Vec::new(), folder };
        for (name, key, value) in table.into_iter().flat_map(Table::entries) {
            let source = table.map(|table| table.source);
            let values: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
                DeValue::Array(items) => items.iter().collect(),
                _ => vec![value],
            };
            let mut materials = Vec::new();
            for value in values {
                let (Some(source), Some(shader)) = (source, value.get_ref().as_str()) else {
                    let wrong = |source: &TomlSource<'_>| {
                        let found = value.get_ref().type_str().to_owned();
                        source.error(value.span(), &key, "the name of a shader, or a list of them".to_owned(), found)
                    };
                    return source.map_or(Ok(sets), |source| Err(wrong(source).into()));
                };
                materials.extend(sets.named(source, &key, shader, value.span())?);
            }
            sets.sets.push(ShaderSet { name: name.to_owned(), materials, from_the_start: true });
        }
        Ok(sets)
    }

    /// Returns the shaders for a name: a bundled shader, all bundled shaders, or the shader of a file.
    fn named(
        &mut self,
        source: &TomlSource<'_>,
        key: &str,
        name: &str,
        span: std::ops::Range<usize>,
    ) -> Result<Vec<Arc<Material>>, ScenarioError> {
        if name == ALL_BUNDLED {
            return Ok(BUNDLED.iter().map(material).collect::<Result<_, _>>()?);
        }
        if let Some(bundled) = Bundled::named(name) {
            return Ok(vec![material(bundled)?]);
        }
        if name.ends_with(".toml") {
            let path = self.folder.join(name);
            let origin = path.display().to_string();
            // The user did not name the file: a pipe in its place would be waited for.
            let text = read_regular_text(&path).map_err(|why| {
                source.error(span, key, "a file with a shader".to_owned(), format!("{origin}: {why}"))
            })?;
            self.files.push(path);
            TomlSource::new(&text, &origin, "shader").check_size()?;
            return Ok(vec![Arc::new(Material::parse(&text, &origin)?)]);
        }
        let known = self.sets.iter().map(|set| set.name.as_str()).chain([ALL_BUNDLED]);
        let wrong = unknown("a shader, or a set of them", name, known.chain(BUNDLED.iter().map(|one| one.name)));
        Err(source.error(span, key, wrong.expected, wrong.found).into())
    }

    /// Returns the index of a set: one of the file's own, or a new one for the name of a shader.
    pub fn find(
        &mut self,
        source: &TomlSource<'_>,
        key: &str,
        name: &str,
        span: std::ops::Range<usize>,
    ) -> Result<usize, ScenarioError> {
        if let Some(at) = self.sets.iter().position(|set| set.name == name) {
            return Ok(at);
        }
        let materials = self.named(source, key, name, span)?;
        self.sets.push(ShaderSet { name: name.to_owned(), materials, from_the_start: true });
        Ok(self.sets.len() - 1)
    }
}
