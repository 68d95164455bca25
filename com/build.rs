//! Link arguments of the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    // The session's threads run code of the library: a program that unloads it must not unmap them.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
