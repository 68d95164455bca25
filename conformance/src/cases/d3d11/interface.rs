//! Interfaces of Direct3D 11 objects, by name and IID.

use super::Direct3d11;
use taut_schemas::Dimension;

/// Declares the interfaces: variant, name, IID (d3d11.h, d3d11_4.h, unknwn.h).
macro_rules! interfaces {
    ($( $Variant:ident $name:literal $iid:literal; )*) => {
        /// Interface that a case queries.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Interface { $( $Variant ),* }

        const ALL: &[(Interface, &str, &str)] = &[ $( (Interface::$Variant, $name, $iid) ),* ];
    };
}

interfaces! {
    Unknown "IUnknown" "00000000-0000-0000-c000-000000000046";
    Device "ID3D11Device" "db6f6ddb-ac77-4e88-8253-819df9bbf140";
    DeviceChild "ID3D11DeviceChild" "1841e5c8-16b0-489b-bcc8-44cfb0d5deae";
    DeviceContext "ID3D11DeviceContext" "c0bfa96c-e089-44fb-8eaf-26f8796190da";
    Multithread "ID3D11Multithread" "9b7e4e00-342c-4106-a19f-4f2704f689f0";
    Asynchronous "ID3D11Asynchronous" "4b35d0cd-1e15-4258-9c98-1b1333f6dd3b";
    Query "ID3D11Query" "d6c00747-87b7-425e-b84d-44d108560afd";
    Predicate "ID3D11Predicate" "9eb576dd-9f77-4d86-81aa-8bab5fe490e2";
    Resource "ID3D11Resource" "dc8e63f3-d12b-4952-b47b-5e45026a862d";
    Buffer "ID3D11Buffer" "48570b85-d1ee-4fcd-a250-eb350722b037";
    Texture2D "ID3D11Texture2D" "6f15aaf2-d208-4e89-9ab4-489535d34f9c";
    Texture3D "ID3D11Texture3D" "037e866e-f56d-4357-a8af-9dabbe6e250e";
}

impl Interface {
    /// Parses a name, a name with the prefix of its IID's constant (`IID_ID3D11Query`), or an IID with or without braces.
    pub(super) fn parse(word: &str) -> Option<Interface> {
        let name = word.strip_prefix("IID_").unwrap_or(word);
        let iid = word.trim_start_matches('{').trim_end_matches('}').to_lowercase();
        let found = ALL.iter().find(|(_, known, known_iid)| *known == name || *known_iid == iid);
        found.map(|(interface, _, _)| *interface)
    }
}

impl Direct3d11 {
    /// True if an object has the interface. The runtime knows which queries are predicates.
    pub(super) fn has_interface(&self, object: u64, interface: Interface) -> bool {
        let is_device = self.immediate.contains_key(&object);
        let dimension = self.resources.get(&object).map(|desc| desc.dimension);
        let is_query = self.queries.contains_key(&object);
        let is_immediate = self.immediate.values().any(|context| *context == object);
        let is_context = is_immediate || self.devices.contains_key(&object) && dimension.is_none();
        match interface {
            Interface::Unknown | Interface::Predicate => true,
            Interface::Device => is_device,
            Interface::DeviceChild => !is_device,
            Interface::DeviceContext => is_context,
            // Devices and immediate contexts have it, deferred contexts do not.
            Interface::Multithread => is_device || is_immediate,
            Interface::Asynchronous | Interface::Query => is_query,
            Interface::Resource => dimension.is_some(),
            Interface::Buffer => dimension == Some(Dimension::BUFFER),
            Interface::Texture2D => dimension == Some(Dimension::TEXTURE2D),
            Interface::Texture3D => dimension == Some(Dimension::TEXTURE3D),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interface_is_found_by_name_and_by_iid() {
        for (interface, name, iid) in ALL {
            let constant = format!("IID_{name}");
            let braced = format!("{{{}}}", iid.to_uppercase());
            for word in [*name, *iid, &constant, &braced] {
                assert_eq!(Interface::parse(word), Some(*interface), "{word}");
            }
        }
        assert_eq!(Interface::parse("ID3D11Fence"), None);
    }
}
