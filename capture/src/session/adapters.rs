//! The adapters of a session.

use taut_runtime::{MachineProfile, Profile};
use taut_schemas::Driver;

/// The adapters of a session, at least one, each by its driver's profile. The first is the default.
/// A trace takes at most [`AdapterId::MOST`](taut_schemas::AdapterId::MOST).
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
    /// Adapters with these bundled drivers, joined by `+`.
    pub fn named(drivers: &str) -> Option<Adapters> {
        let mut profiles = drivers.split('+').map(Profile::named);
        let first = Adapters::from(&profiles.next()??);
        profiles.try_fold(first, |adapters, profile| Some(adapters.and(&profile?)))
    }

    /// With another adapter behind these.
    pub fn and(mut self, next: &Profile) -> Adapters {
        self.others.push(next.clone());
        self
    }

    /// The same adapters, as those of this machine, in its order.
    pub fn of(self, machine: MachineProfile) -> Adapters {
        Adapters { machine: Some(machine), ..self }
    }

    /// The machine that they are of, if one was described.
    pub fn machine(&self) -> Option<&MachineProfile> {
        self.machine.as_ref()
    }

    /// The profile of the first one's driver.
    pub fn first(&self) -> &Profile {
        &self.first
    }

    /// Their drivers' profiles.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The names of their drivers, joined by `+`.
    pub fn names(&self) -> String {
        self.profiles().map(|profile| profile.name.as_str()).collect::<Vec<_>>().join("+")
    }

    /// Their drivers.
    pub(crate) fn drivers(&self) -> Vec<Box<dyn Driver>> {
        self.profiles().map(taut_runtime::driver).collect()
    }
}

/// One adapter.
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
