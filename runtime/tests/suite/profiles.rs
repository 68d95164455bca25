//! Profiles' texts, and what is said of wrong ones.

use taut_runtime::{DdiVersion, Profile, TextureSizeModel};

const GOOD: &str = "name = \"mine\"\nddi_version = \"0115\"\n[caps]\ntight_alignment_tier = 1\n";

fn error(text: &str) -> String {
    Profile::parse(text, "mine.toml").unwrap_err().to_string()
}

#[test]
fn a_profile_needs_little() {
    let profile = Profile::parse(GOOD, "mine.toml").unwrap();
    assert_eq!(profile.ddi_version, DdiVersion::V0115);
    assert_eq!(profile.tight_buffer_alignment_bytes, 256);
    assert_eq!(profile.texture_size_model, TextureSizeModel::Tiled);
}

#[test]
fn wrong_profiles_are_told_where_and_why() {
    let wrong = [
        ("tight_bufer_alignment_bytes = 8\n", ""),
        ("texture_size_model = \"tield\"\n", ""),
        ("tight_buffer_alignment_bytes = 100\n", ""),
        ("tight_buffer_alignment_bytes = \"many\"\n", ""),
        ("tight_texture_alignment_placed_bytes = 0\n", ""),
        ("", "umma = true\n"),
        ("", "cache_coherent_uma = true\n"),
        ("", "large_page_size_bytes = 4096\n"),
        ("", "large_page_support = true\n"),
        ("", "resource_heap_tier = 3\n"),
        ("", "qqqqqqqqqqqqqqqq = 1\n"),
        ("height_alignment = \n", ""),
    ];
    let mut said = String::new();
    for (key, cap) in wrong {
        let text = format!("name = \"mine\"\nddi_version = \"0115\"\n{key}[caps]\ntight_alignment_tier = 1\n{cap}");
        said += &error(&text);
        said.push('\n');
    }
    said += &error(&GOOD.replace("0115", "0110"));
    said.push('\n');
    said += &error(&GOOD.replace("\"0115\"", "115"));
    said.push('\n');
    said += &error("name = \"mine\"\n");
    insta::assert_snapshot!(said);
}

#[test]
fn positions_are_of_the_key_or_the_value() {
    let error = Profile::parse(&format!("{GOOD}uma = 1\n"), "mine.toml").unwrap_err();
    assert_eq!((error.origin.as_str(), error.line, error.column, error.key.as_str()), ("mine.toml", 5, 7, "caps.uma"));
    let error = Profile::parse("naam = 1", "mine.toml").unwrap_err();
    assert_eq!((error.line, error.column, error.key.as_str()), (1, 1, "naam"));
}
