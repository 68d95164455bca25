//! Tests of profile texts, and of errors in them.

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
fn invalid_profiles_are_reported_with_position_and_reason() {
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
        ("fails = [\"A-57\"]\n", ""),
        ("fails = [\"A-52\"]\ntight_buffer_alignment_bytes = 24\n", ""),
        ("classic_buffer_alignment_bytes = 0\nfails = [\"A-55\"]\n", ""),
        ("", "large_page_support = true\nlarge_page_size_bytes = 4096\n"),
        ("", "[faults]\ndriftin_size_bytes = 8\n"),
        ("", "[faults]\ndrifting_size_bytes = 0\n"),
        ("", "[faults]\nignores_restriction = 1\n"),
        ("faults = 1\n", ""),
        ("", "[direct_access]\npitch_alignment_bytes = 512\n"),
        ("", "[direct_access]\ntile_format = \"tile_z\"\n"),
        ("", "[direct_access]\ntile_format = \"tile_x\"\npitch_alignment_bytes = 128\n"),
        ("", "[direct_access]\ntile_format = \"tile_y\"\nx_offset_bytes = 8\n"),
        ("", "[direct_access]\ntile_format = \"tile_y\"\ny_offset_row = 8\n"),
        ("", "[kernel]\nwddm_version = \"2.10\"\n"),
        ("", "[kernel]\nhybrid_integrated = true\n"),
        ("", "[kernel]\nwddm_version = \"3.0\"\nflip_caps = [\"FLIP_INDEPENDANT\"]\n"),
        ("", "[faults]\nscans_out_alone = true\n"),
        (
            "",
            "[contexts]\nthreading_caps = 5\ncontext_bytes = 39\nimmediate_handle_bytes = 40\ncommand_list_bytes = 24\nhandles = []\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 5\ncontext_bytes = 40\nimmediate_handle_bytes = 39\ncommand_list_bytes = 24\nhandles = []\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 5\ncontext_bytes = 40\nimmediate_handle_bytes = 40\ncommand_list_bytes = 23\nhandles = []\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 5\ncontext_bytes = 40\nimmediate_handle_bytes = 40\ncommand_list_bytes = 24\nhandles = [{ handle_type = \"QUERRY\", size_bytes = 8 }]\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 5\ncontext_bytes = 40\nimmediate_handle_bytes = 40\ncommand_list_bytes = 24\nhandles = [{ handle_type = \"QUERY\", size_bytes = 4 }]\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 5\ncontext_bytes = 40\nimmediate_handle_bytes = 40\ncommand_list_bytes = 24\nhandles = [{ handle_type = \"QUERY\", size_bytes = 0 }]\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 5\ncontext_bytes = 40\nimmediate_handle_bytes = 40\ncommand_list_bytes = 24\nhandles = [{ handle_type = \"QUERY\", size_bytes = 65537 }]\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 4\ncontext_bytes = 40\nimmediate_handle_bytes = 40\ncommand_list_bytes = 24\nhandles = []\n",
        ),
        (
            "",
            "[contexts]\nthreading_caps = 9\ncontext_bytes = 40\nimmediate_handle_bytes = 40\ncommand_list_bytes = 24\nhandles = []\n",
        ),
    ];
    let mut errors = String::new();
    for (key, cap) in wrong {
        let text = format!("name = \"mine\"\nddi_version = \"0115\"\n{key}[caps]\ntight_alignment_tier = 1\n{cap}");
        errors += &error(&text);
        errors.push('\n');
    }
    errors += &error(&GOOD.replace("0115", "0110"));
    errors.push('\n');
    errors += &error(&GOOD.replace("\"0115\"", "115"));
    errors.push('\n');
    errors += &error(&(GOOD.replace("0115", "0114") + "[faults]\nrefuses_implicit_heaps = true\n"));
    errors.push('\n');
    errors += &error(&(GOOD.replace("tier = 1", "tier = 0") + "[faults]\nignores_restriction = true\n"));
    errors.push('\n');
    errors += &error(&(GOOD.to_owned() + "[faults]\ncopies_direct_access_pairs = true\n"));
    errors.push('\n');
    errors += &error("name = \"mine\"\n");
    insta::assert_snapshot!(errors);
}

#[test]
fn positions_are_of_the_key_or_the_value() {
    let error = Profile::parse(&format!("{GOOD}uma = 1\n"), "mine.toml").unwrap_err();
    assert_eq!((error.origin.as_str(), error.line, error.column, error.key.as_str()), ("mine.toml", 5, 7, "caps.uma"));
    let error = Profile::parse("naam = 1", "mine.toml").unwrap_err();
    assert_eq!((error.line, error.column, error.key.as_str()), (1, 1, "naam"));
}

#[test]
fn an_alignment_that_is_no_power_of_two_is_a_declared_fault() {
    let odd = "name = \"mine\"\nddi_version = \"0115\"\ntight_buffer_alignment_bytes = 24\n";
    assert!(Profile::parse(odd, "mine.toml").is_err());
    let declared = Profile::parse(&format!("{odd}fails = [\"A-55\"]\n"), "mine.toml").unwrap();
    assert_eq!(declared.tight_buffer_alignment_bytes, 24);
    let wrong = odd.replace("24", "512");
    assert!(Profile::parse(&wrong, "mine.toml").is_ok(), "a number that a driver could have; the kit says it is wrong");
}

#[test]
fn a_profile_is_explained_by_what_its_driver_answers() {
    let samples = Profile::named("tightest").unwrap().samples();
    let figures = |sample: &taut_runtime::Sample| {
        [&sample.classic, &sample.placed, &sample.committed].map(|info| (info.size_bytes, info.alignment_bytes))
    };
    assert_eq!(figures(&samples[0]), [(65536, 65536), (1000, 8), (4096, 4096)]);
    let legacy = Profile::named("legacy").unwrap().samples();
    assert_eq!(legacy[0].placed.size_bytes, u64::MAX);
}
