//! dList DLL of a hybrid system's discrete adapter: the profile table `[dlist]`.

use serde::{Deserialize, Serialize};
use taut_schemas::{DListQueryDecisionFactor, DListQueryResult, QueriedDList};

macro_rules! keys {
    ($( $(#[$meta:meta])+ $key:ident: $ty:ty, )*) => {
        /// The dList DLL of a driver, which exports pfnQueryDListForApplication2.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct DList { $( $(#[$meta])+ pub $key: $ty, )* }

        impl DList {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
        }
    };
}

keys! {
    /// Size of the DLL in bytes.
    library_bytes: u64,
    /// Time of a query in microseconds.
    query_us: u64,
    /// Programs that are to run on the discrete adapter, by file name in any case.
    applications: Vec<String>,
}

impl Default for DList {
    fn default() -> Self {
        // Below the limits of rule C-12; an estimate without a measurement.
        DList { library_bytes: 64 << 10, query_us: 500, applications: Vec::new() }
    }
}

impl DList {
    /// Implements pfnQueryDListForApplication2.
    pub(crate) fn query(&self, application: &str) -> QueriedDList {
        let is_listed = self.applications.iter().any(|listed| listed.eq_ignore_ascii_case(application));
        let (result, decision_factor) = match is_listed {
            true => (DListQueryResult::HIGH_PERFORMANCE_PREFERENCE, DListQueryDecisionFactor::DLIST_APP_ENTRY),
            false => (DListQueryResult::NO_DATA, DListQueryDecisionFactor::UNDEFINED),
        };
        let elapsed_ns = self.query_us.saturating_mul(1000);
        QueriedDList { result, decision_factor, library_bytes: self.library_bytes, elapsed_ns }
    }
}
