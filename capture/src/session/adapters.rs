//! Adapters of a session.

use taut_runtime::{MachineProfile, Profile};
use taut_schemas::Driver;

/// Adapters of a session, at least one, each with its driver's profile. The first is the default. A trace takes at most
/// [`AdapterId::MAX`](taut_schemas::AdapterId::MAX).
///
/// ```
/// use taut_capture::Adapters;
/// use taut_runtime::Profile;
///
/// let (integrated, discrete) = (Profile::named("reference"), Profile::named("peer"));
/// let adapters = Adapters::from(&integrated.ok_or("no such driver")?).and(&discrete.ok_or("no such driver")?);
/// assert_eq!(adapters.names(), "reference+peer");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Adapters {
    first: Profile,
    others: Vec<Profile>,
    machine: Option<MachineProfile>,
}

impl Adapters {
    /// Creates adapters from names of bundled drivers, joined by `+`.
    pub fn named(drivers: &str) -> Option<Adapters> {
        let mut profiles = drivers.split('+').map(Profile::named);
        let first = Adapters::from(&profiles.next()??);
        profiles.try_fold(first, |adapters, profile| Some(adapters.and(&profile?)))
    }

    /// Appends an adapter.
    pub fn and(mut self, next: &Profile) -> Adapters {
        self.others.push(next.clone());
        self
    }

    /// Sets the machine that has these adapters, in its order.
    pub fn of(self, machine: MachineProfile) -> Adapters {
        Adapters { machine: Some(machine), ..self }
    }

    /// Profile of the machine, if it was set.
    pub fn machine(&self) -> Option<&MachineProfile> {
        self.machine.as_ref()
    }

    /// Profile of the first adapter's driver.
    pub fn first(&self) -> &Profile {
        &self.first
    }

    /// Profiles of all drivers.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Names of the drivers, joined by `+`.
    pub fn names(&self) -> String {
        self.profiles().map(|profile| profile.name.as_str()).collect::<Vec<_>>().join("+")
    }

    /// Creates the drivers.
    pub(crate) fn drivers(&self) -> Vec<Box<dyn Driver>> {
        self.profiles().map(taut_runtime::driver).collect()
    }
}

/// Creates a single adapter.
impl From<&Profile> for Adapters {
    fn from(profile: &Profile) -> Adapters {
        Adapters { first: profile.clone(), others: Vec::new(), machine: None }
    }
}

impl From<&Adapters> for Adapters {
    fn from(adapters: &Adapters) -> Adapters {
        adapters.clone()
    }
}
