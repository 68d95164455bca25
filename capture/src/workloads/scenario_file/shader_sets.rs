//! What a scenario draws with.

use super::super::parameter::material;
use super::expression_text::unknown;
use super::file::ScenarioError;
use super::table_text::Table;
use std::path::Path;
use std::sync::Arc;
use taut_runtime::TomlSource;
use taut_shaders::{BUNDLED, Bundled, Material};
use toml::Spanned;
use toml::de::DeValue;

/// What stands for all bundled shaders.
const ALL_BUNDLED: &str = "bundled";

/// Shaders that are drawn together.
#[derive(Debug, Clone)]
pub(super) struct ShaderSet {
    pub name: String,
    pub materials: Vec<Arc<Material>>,
    /// Its pipeline states are there before the first phase; others a step creates.
    pub from_the_start: bool,
}

/// The sets of a file, as steps name them.
pub(super) struct ShaderSets<'a> {
    pub sets: Vec<ShaderSet>,
    folder: &'a Path,
}

impl<'a> ShaderSets<'a> {
    /// Those of the table `shaders`: each a name, or a list of them. Files are looked for beside the scenario.
    pub fn read(table: Option<&Table<'_, '_>>, folder: &'a Path) -> Result<ShaderSets<'a>, ScenarioError> {
        let mut sets = ShaderSets { sets: Vec::new(), folder };
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
                materials.extend(sets.named(source, &key, (shader, value.span()))?);
            }
            sets.sets.push(ShaderSet { name: name.to_owned(), materials, from_the_start: true });
        }
        Ok(sets)
    }

    /// The shaders of a name: a bundled one, all of those, or a file's.
    fn named(
        &self,
        source: &TomlSource<'_>,
        key: &str,
        (name, span): (&str, std::ops::Range<usize>),
    ) -> Result<Vec<Arc<Material>>, ScenarioError> {
        if name == ALL_BUNDLED {
            return Ok(BUNDLED.iter().map(material).collect::<Result<_, _>>()?);
        }
        if let Some(bundled) = Bundled::named(name) {
            return Ok(vec![material(bundled)?]);
        }
        if name.ends_with(".toml") {
            let path = self.folder.join(name);
            let text = std::fs::read_to_string(&path).map_err(|told| {
                source.error(span, key, "a file with a shader".to_owned(), format!("{}: {told}", path.display()))
            })?;
            return Ok(vec![Arc::new(Material::parse(&text, &path.display().to_string())?)]);
        }
        let known = self.sets.iter().map(|set| set.name.as_str()).chain([ALL_BUNDLED]);
        let wrong = unknown("a shader, or a set of them", name, known.chain(BUNDLED.iter().map(|one| one.name)));
        Err(source.error(span, key, wrong.expected, wrong.found).into())
    }

    /// The set of a name: one of the file's own, or what the name of a shader says.
    pub fn find(
        &mut self,
        source: &TomlSource<'_>,
        key: &str,
        (name, span): (&str, std::ops::Range<usize>),
    ) -> Result<usize, ScenarioError> {
        if let Some(at) = self.sets.iter().position(|set| set.name == name) {
            return Ok(at);
        }
        let materials = self.named(source, key, (name, span))?;
        self.sets.push(ShaderSet { name: name.to_owned(), materials, from_the_start: true });
        Ok(self.sets.len() - 1)
    }
}
