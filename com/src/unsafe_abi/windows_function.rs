//! Functions in Microsoft's convention, from those in the other.

/// Function of a table in Microsoft's convention: a structure is returned through a pointer after `this`.
macro_rules! windows_function {
    ($Class:ident: $Interface:ident, $method:ident($($argument:ident: $Type:ty),*) -> [] [$Returned:ty]) => {{
        #[allow(clippy::too_many_arguments)]
        extern "win64" fn function<$Class: $Interface>(
            this: $crate::unsafe_abi::Interface,
            $($argument: $Type),*
        ) -> $Returned {
            $method::<$Class>(this, $($argument),*)
        }
        $crate::unsafe_abi::Function::new(function::<$Class> as *const ())
    }};
    ($Class:ident: $Interface:ident, $method:ident($($argument:ident: $Type:ty),*) -> [$Structure:ty] []) => {{
        extern "win64" fn function<$Class: $Interface>(
            this: $crate::unsafe_abi::Interface,
            returned: $crate::unsafe_abi::Out<$Structure>,
            $($argument: $Type),*
        ) -> $crate::unsafe_abi::Out<$Structure> {
            returned.set($method::<$Class>(this, $($argument),*));
            returned
        }
        $crate::unsafe_abi::Function::new(function::<$Class> as *const ())
    }};
}
pub(crate) use windows_function;

#[cfg(test)]
mod tests {
    // Functions of a table have the class as a parameter.
    #![allow(clippy::extra_unused_type_parameters)]

    use super::super::convention::Function;
    use super::super::instance::{Class, Interface};
    use super::super::plain::{CpuDescriptor, ResourceDesc};
    use super::super::pointer::Out;
    use proptest::prelude::*;

    extern "C" fn describe<C>(
        _: Interface,
        width: u64,
        height: f32,
        format: u32,
        alignment: u64,
        flags: u32,
    ) -> ResourceDesc {
        ResourceDesc { width, height: height as u32, format, alignment, flags, ..ResourceDesc::default() }
    }

    extern "C" fn find<C>(_: Interface, index: u32) -> CpuDescriptor {
        CpuDescriptor { address: index as usize + 7 }
    }

    extern "C" fn sum<C>(_: Interface, a: f32, b: u32, c: f32, d: u8, e: f32, f: CpuDescriptor) -> u64 {
        [a as u64, u64::from(b), c as u64, u64::from(d), e as u64, f.address as u64].iter().sum()
    }

    const fn functions<C: Class>() -> [Function; 3] {
        [
            windows_function!(
                C: Class,
                describe(width: u64, height: f32, format: u32, alignment: u64, flags: u32) -> [ResourceDesc] []
            ),
            windows_function!(C: Class, find(index: u32) -> [CpuDescriptor] []),
            windows_function!(
                C: Class, sum(a: f32, b: u32, c: f32, d: u8, e: f32, f: CpuDescriptor) -> [] [u64]
            ),
        ]
    }

    type Describe = extern "win64" fn(Interface, &mut ResourceDesc, u64, f32, u32, u64, u32) -> *const ResourceDesc;
    type Find = extern "win64" fn(Interface, &mut CpuDescriptor, u32) -> *const CpuDescriptor;
    type Sum = extern "win64" fn(Interface, f32, u32, f32, u8, f32, CpuDescriptor) -> u64;

    proptest! {
        /// A structure of each size is returned through a pointer after `this`, and the pointer is the result.
        #[test]
        fn microsofts_convention_has_the_results_of_the_other(
            numbers in any::<(u64, u32, u64, u32)>(), height in 0..1_000_000_u32, small in any::<u8>(),
        ) {
            let (width, format, alignment, flags) = numbers;
            let [describe_windows, find_windows, sum_windows] = functions::<crate::classes::Blob>();
            // SAFETY: the functions have these types in Microsoft's convention, and do not use the object.
            let (describe_windows, find_windows, sum_windows) = unsafe {
                (
                    std::mem::transmute::<*const (), Describe>(describe_windows.address()),
                    std::mem::transmute::<*const (), Find>(find_windows.address()),
                    std::mem::transmute::<*const (), Sum>(sum_windows.address()),
                )
            };
            let (this, height) = (Interface::NULL, height as f32);
            let mut desc = ResourceDesc::default();
            let returned = describe_windows(this, &mut desc, width, height, format, alignment, flags);
            prop_assert_eq!(returned, &raw const desc);
            prop_assert_eq!(desc, describe::<()>(this, width, height, format, alignment, flags));
            let mut place = CpuDescriptor::default();
            let returned = find_windows(this, &mut place, format);
            prop_assert_eq!(returned, &raw const place);
            prop_assert_eq!(place, find::<()>(this, format));
            let total = sum_windows(this, height, format, 3.0, small, 9.0, place);
            prop_assert_eq!(total, sum::<()>(this, height, format, 3.0, small, 9.0, place));
        }
    }

    #[test]
    fn a_client_that_passes_null_for_a_structure_gets_none() {
        let [_, find_windows, _] = functions::<crate::classes::Blob>();
        type FindNowhere = extern "win64" fn(Interface, Out<CpuDescriptor>, u32) -> usize;
        // SAFETY: as above; a pointer is returned as a number.
        let find_windows: FindNowhere = unsafe { std::mem::transmute(find_windows.address()) };
        assert_eq!(find_windows(Interface::NULL, Out::nowhere(), 3), 0);
    }
}
