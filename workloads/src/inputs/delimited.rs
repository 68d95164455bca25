//! Tables of comma-separated values, by their heading.

/// Separators between columns.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// Columns that only captures of presents or of frame times have, in lower case: of PresentMon 1 and 2, OCAT,
/// CapFrameX, FrameView and MangoHud. The reader of captures rejects captures without times of presents, with the
/// reason.
const PRESENT_COLUMNS: [&str; 18] = [
    "swapchainaddress",
    "presentruntime",
    "presentmode",
    "presentflags",
    "syncinterval",
    "timeinseconds",
    "timeinqpc",
    "timeinms",
    "timeindatetime",
    "cpustarttime",
    "cpustartqpc",
    "cpustartqpctime",
    "cpustartdatetime",
    "msbetweenpresents",
    "msbetweendisplaychange",
    "frametime",
    "average fps",
    // The first of MangoHud's two headings.
    "cpuscheduler",
];

/// Returns the columns of a heading; none if the line is no heading of a table.
pub(super) fn columns(line: &str) -> Vec<String> {
    let count = |separator: &char| line.matches(*separator).count();
    let Some(separator) = SEPARATORS.iter().copied().max_by_key(count).filter(|separator| count(separator) > 0) else {
        return Vec::new();
    };
    line.split(separator).map(|cell| cell.trim().trim_matches('"').to_owned()).collect()
}

/// True if a column belongs to a capture of presents.
pub(super) fn is_of_presents(columns: &[String]) -> bool {
    columns.iter().any(|column| PRESENT_COLUMNS.contains(&&*column.to_lowercase()))
}
