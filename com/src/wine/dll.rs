//! DLLs of Wine, written without a compiler: PE files of one section whose exported functions jump into the library.
//!
//! Wine maps such a file as one of its own and opens the library of the same name as its Unix part. NtQueryVirtualMemory
//! returns the address of the library's table `__wine_unix_call_funcs` (pointers to functions); the first one is called
//! with the functions of kernel32.dll that the library uses, and each export jumps to its place in the table.

use crate::unsafe_abi::WindowsFunctions;

/// Alignment of sections, in memory and in the file; address of the only one.
const PAGE: u32 = 0x1000;
/// Address of the PE header in the file.
const HEADER: u32 = 0x80;
/// Address that the DLL prefers; Wine relocates nothing, since no address of the file is absolute.
const BASE: u64 = 0x1_9000_0000;
/// Marks a file as one of Wine's own, after the DOS header.
const BUILTIN: &[u8] = b"Wine builtin DLL\0";

const X86_64: u16 = 0x8664;
/// PE32+.
const MAGIC: u16 = 0x20b;
/// Executable, large addresses, DLL.
const FILE_KIND: u16 = 0x2022;
/// Any base address, compatible with data execution prevention.
const DLL_KIND: u16 = 0x0140;
/// Code that is executed, read and written: the pointer to the table lies next to it.
const SECTION_KIND: u32 = 0xe000_0020;
const DIRECTORIES: u32 = 16;
const OPTIONAL_HEADER_BYTES: u16 = 240;

/// Class of NtQueryVirtualMemory: the table of a DLL's Unix part.
const UNIX_FUNCTIONS: u32 = 1000;

/// Contents of the section.
#[derive(Default)]
struct Section {
    bytes: Vec<u8>,
}

impl Section {
    /// Address of the next byte, relative to the DLL.
    fn here(&self) -> u32 {
        PAGE + self.bytes.len() as u32
    }

    fn align(&mut self, alignment: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    fn push_words(&mut self, words: &[u32]) {
        words.iter().for_each(|word| self.push(&word.to_le_bytes()));
    }

    fn push_text(&mut self, text: &str) -> u32 {
        let at = self.here();
        self.push(text.as_bytes());
        self.push(&[0]);
        at
    }

    /// Appends an instruction whose last operand is an address relative to its end.
    fn push_relative(&mut self, code: &[u8], target: u32) {
        self.push(code);
        let distance = target.wrapping_sub(self.here() + 4);
        self.push(&distance.to_le_bytes());
    }
}

/// Addresses of a list of imported functions.
struct Imports {
    library: &'static str,
    functions: &'static [&'static str],
    /// Place of the functions' addresses, which the loader writes.
    addresses: u32,
}

/// The DLL of this name with functions by their places in the library's table.
pub fn dll(name: &str, exports: &[(usize, &str)]) -> Vec<u8> {
    let mut section = Section::default();
    let mut imports = [("kernel32.dll", &WindowsFunctions::NAMES[..]), ("ntdll.dll", &["NtQueryVirtualMemory"][..])]
        .map(|(library, functions)| Imports { library, functions, addresses: 0 });
    let first = section.here();
    let import_bytes = write_imports(&mut section, &mut imports);
    let [windows, query] = &imports;
    let table = section.here();
    section.push(&[0; 8]);
    let entry = write_entry(&mut section, table, windows.addresses, query.addresses);
    let functions: Vec<u32> = exports.iter().map(|(place, _)| write_jump(&mut section, table, *place)).collect();
    let names: Vec<&str> = exports.iter().map(|(_, name)| *name).collect();
    let (exports_at, export_bytes) = write_exports(&mut section, name, &names, &functions);
    let mut directories = [(0, 0); DIRECTORIES as usize];
    directories[0] = (exports_at, export_bytes);
    directories[1] = (first, import_bytes);
    file(&section, entry, &directories)
}

/// Writes the import directory and what it names; returns its size.
fn write_imports(section: &mut Section, imports: &mut [Imports]) -> u32 {
    const ENTRY_WORDS: usize = 5;
    let directory = vec![0; (imports.len() + 1) * ENTRY_WORDS];
    section.push_words(&directory);
    let size = directory.len() as u32 * 4;
    let mut entries = Vec::new();
    for list in imports {
        let names: Vec<u32> = list
            .functions
            .iter()
            .map(|function| {
                section.align(2);
                // A name begins with a hint, which may be wrong.
                let at = section.here();
                section.push(&[0; 2]);
                section.push_text(function);
                at
            })
            .collect();
        let library = section.push_text(list.library);
        let mut write = || {
            section.align(8);
            let at = section.here();
            names.iter().for_each(|name| section.push(&u64::from(*name).to_le_bytes()));
            section.push(&[0; 8]);
            at
        };
        let lookup = write();
        list.addresses = write();
        entries.extend([lookup, 0, 0, library, list.addresses]);
    }
    for (place, word) in section.bytes.chunks_exact_mut(4).zip(&entries) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    size
}

/// Writes the function that Windows calls when the DLL is loaded: it finds the table and passes the imports on.
fn write_entry(section: &mut Section, table: u32, windows: u32, query: u32) -> u32 {
    section.align(16);
    let entry = section.here();
    // Only the load of the DLL, reason 1, has work.
    section.push(b"\x83\xfa\x01\x0f\x85"); // cmp edx, 1; jne done
    let skip = section.bytes.len();
    section.push(&[0; 4]);
    section.push(b"\x48\x83\xec\x38"); // sub rsp, 56
    section.push(b"\x48\x89\xca"); // mov rdx, rcx: the DLL
    section.push(b"\x48\xc7\xc1\xff\xff\xff\xff"); // mov rcx, -1: this process
    section.push(b"\x41\xb8"); // mov r8d, class
    section.push_words(&[UNIX_FUNCTIONS]);
    section.push_relative(b"\x4c\x8d\x0d", table); // lea r9, [table]
    section.push(b"\x48\xc7\x44\x24\x20\x08\x00\x00\x00"); // mov qword [rsp + 32], 8: size of the result
    section.push(b"\x48\xc7\x44\x24\x28\x00\x00\x00\x00"); // mov qword [rsp + 40], 0
    section.push_relative(b"\xff\x15", query); // call [NtQueryVirtualMemory]
    section.push(b"\x85\xc0\x0f\x85"); // test eax, eax; jne failed
    let fail = section.bytes.len();
    section.push(&[0; 4]);
    section.push_relative(b"\x48\x8d\x0d", windows); // lea rcx, [functions of kernel32.dll]
    section.push_relative(b"\x48\x8b\x05", table); // mov rax, [table]
    section.push(b"\xff\x10"); // call [rax]
    section.push(b"\x48\x83\xc4\x38"); // add rsp, 56
    let done = section.bytes.len();
    section.push(b"\xb8\x01\x00\x00\x00\xc3"); // mov eax, 1; ret
    let failed = section.bytes.len();
    section.push(b"\x48\x83\xc4\x38\x31\xc0\xc3"); // add rsp, 56; xor eax, eax; ret
    for (place, target) in [(skip, done), (fail, failed)] {
        let distance = (target - place - 4) as u32;
        section.bytes[place..place + 4].copy_from_slice(&distance.to_le_bytes());
    }
    entry
}

/// Writes a function that jumps to a place of the table.
fn write_jump(section: &mut Section, table: u32, place: usize) -> u32 {
    section.align(16);
    let function = section.here();
    section.push_relative(b"\x48\x8b\x05", table); // mov rax, [table]
    section.push(b"\xff\xa0"); // jmp [rax + place]
    section.push_words(&[place as u32 * 8]);
    function
}

/// Writes the export directory; returns its place and size.
fn write_exports(section: &mut Section, library: &str, names: &[&str], functions: &[u32]) -> (u32, u32) {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|index| names[*index]);
    let library = section.push_text(library);
    let texts: Vec<u32> = order.iter().map(|index| section.push_text(names[*index])).collect();
    section.align(4);
    let functions_at = section.here();
    section.push_words(functions);
    let names_at = section.here();
    section.push_words(&texts);
    let ordinals_at = section.here();
    order.iter().for_each(|index| section.push(&(*index as u16).to_le_bytes()));
    section.align(4);
    let at = section.here();
    let count = names.len() as u32;
    section.push_words(&[0, 0, 0, library, 1, count, count, functions_at, names_at, ordinals_at]);
    (at, section.here() - at)
}

/// The file: headers, and the section.
fn file(section: &Section, entry: u32, directories: &[(u32, u32)]) -> Vec<u8> {
    let size = (section.bytes.len() as u32).next_multiple_of(PAGE);
    let mut file = b"MZ".to_vec();
    file.resize(0x3c, 0);
    file.extend(HEADER.to_le_bytes());
    file.extend(BUILTIN);
    file.resize(HEADER as usize, 0);
    let halves = |file: &mut Vec<u8>, halves: &[u16]| halves.iter().for_each(|half| file.extend(half.to_le_bytes()));
    let words = |file: &mut Vec<u8>, words: &[u32]| words.iter().for_each(|word| file.extend(word.to_le_bytes()));
    file.extend(b"PE\0\0");
    halves(&mut file, &[X86_64, 1]);
    words(&mut file, &[0, 0, 0]);
    halves(&mut file, &[OPTIONAL_HEADER_BYTES, FILE_KIND]);
    halves(&mut file, &[MAGIC, 0]);
    words(&mut file, &[size, 0, 0, entry, PAGE]);
    file.extend(BASE.to_le_bytes());
    words(&mut file, &[PAGE, PAGE]);
    // Versions of the system, the file and the subsystem.
    halves(&mut file, &[6, 0, 0, 0, 6, 0]);
    words(&mut file, &[0, PAGE + size, PAGE, 0]);
    // Graphical subsystem.
    halves(&mut file, &[2, DLL_KIND]);
    // Stack and heap: reserved and committed.
    [0x10_0000_u64, 0x1000, 0x10_0000, 0x1000].iter().for_each(|size| file.extend(size.to_le_bytes()));
    words(&mut file, &[0, DIRECTORIES]);
    directories.iter().for_each(|(at, size)| words(&mut file, &[*at, *size]));
    file.extend(b".text\0\0\0");
    words(&mut file, &[size, PAGE, size, PAGE, 0, 0, 0, SECTION_KIND]);
    file.resize(PAGE as usize, 0);
    file.extend(&section.bytes);
    file.resize((PAGE + size) as usize, 0);
    file
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn word(file: &[u8], at: usize) -> usize {
        u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize
    }

    fn text(file: &[u8], at: usize) -> &str {
        let bytes = &file[at..];
        std::str::from_utf8(&bytes[..bytes.iter().position(|byte| *byte == 0).unwrap()]).unwrap()
    }

    /// Addresses are places in the file: the section has the same address in both.
    #[test]
    fn exports_are_sorted_by_name_and_jump_to_their_places() {
        let file = dll("two.dll", &[(5, "Zulu"), (6, "Alpha")]);
        assert!(file.starts_with(b"MZ") && text(&file, 0x40) == "Wine builtin DLL");
        let header = word(&file, 0x3c);
        assert_eq!(&file[header..header + 6], b"PE\0\0\x64\x86");
        let exports = word(&file, header + 24 + 112);
        assert_eq!(text(&file, word(&file, exports + 12)), "two.dll");
        let (functions, names) = (word(&file, exports + 28), word(&file, exports + 32));
        let ordinals = word(&file, exports + 36);
        for (index, (name, ordinal, place)) in [("Alpha", 1, 6), ("Zulu", 0, 5)].into_iter().enumerate() {
            assert_eq!(text(&file, word(&file, names + 4 * index)), name);
            assert_eq!(file[ordinals + 2 * index], ordinal);
            let function = word(&file, functions + 4 * usize::from(ordinal));
            assert_eq!((&file[function + 7..function + 9], word(&file, function + 9)), (&b"\xff\xa0"[..], 8 * place));
        }
    }

    #[test]
    fn the_functions_of_windows_are_imported_in_the_library_s_order() {
        let file = dll("x.dll", &[]);
        let imports = word(&file, word(&file, 0x3c) + 24 + 120);
        let names = |entry: usize, place: usize| {
            let list = word(&file, imports + 20 * entry + place);
            let at = (0..).map(|index| word(&file, list + 8 * index)).take_while(|at| *at != 0);
            at.map(|at| text(&file, at + 2).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(text(&file, word(&file, imports + 12)), "kernel32.dll");
        assert_eq!(names(0, 16), WindowsFunctions::NAMES);
        assert_eq!((names(0, 0), names(1, 16)), (names(0, 16), vec!["NtQueryVirtualMemory".to_owned()]));
        assert_eq!(word(&file, imports + 40 + 12), 0, "the list ends");
    }
}
