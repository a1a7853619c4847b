//! The calls that bring data to a place.

use super::mention::What;
use super::sides::{Sides, Sink};
use crate::english::exact::Exact;
use crate::meaning::{Case, Deed, Doing, Place, Side, Test};

fn to(places: Vec<Place>, inside: bool) -> Test {
    Test::Place { side: Side::To, places, inside }
}

impl Exact<'_> {
    /// What calls bring the data there.
    pub(super) fn sunk(&self, sink: &Sink, sides: &Sides) -> Option<Case> {
        let carries = Test::Carries(sides.sources.clone());
        let case =
            |deed: Deed, tests: Vec<Test>| Case { doings: vec![Doing::Deed(deed)], tests, ..Case::default() };
        Some(match sink {
            Sink::Network => case(Deed::Sends, vec![carries, to(vec![Place::Network], true)]),
            Sink::Out => {
                let elsewhere =
                    Test::Place { side: Side::Object, places: sides.sources.clone(), inside: false };
                case(Deed::Writes, vec![elsewhere, carries])
            }
            Sink::Never(What::Party(place)) => {
                case(Deed::Sends, vec![carries, to(vec![place.clone()], true)])
            }
            Sink::Never(What::Thing(places)) => case(Deed::Writes, vec![carries, to(places.clone(), true)]),
            Sink::Never(what) => {
                let (doings, mut tests) = self.reached_by(what)?;
                tests.push(carries);
                tests.extend(sides.is_other.then(|| to(sides.sources.clone(), false)));
                Case { doings, tests, ..Case::default() }
            }
            Sink::Alone(What::Thing(places)) if !places.iter().all(|place| matches!(place, Place::Id(_))) => {
                self.saved_alone(places, sides)
            }
            Sink::Alone(what) => {
                let mut tests = vec![carries];
                let doings = self.all_but(what, sides, &mut tests)?;
                let own =
                    sides.sources.iter().filter(|place| matches!(place, Place::Id(_) | Place::Table(_)));
                let own: Vec<Place> = own.cloned().collect();
                if !own.is_empty() && !matches!(doings.as_slice(), [Doing::Did(_)]) {
                    tests.push(to(own, false));
                }
                Case { doings, tests, ..Case::default() }
            }
        })
    }

    /// Files that are made of something go to one place alone: by where they come from, not by what was read before.
    fn saved_alone(&self, places: &[Place], sides: &Sides) -> Case {
        let file = vec![Place::Kind("file".to_owned())];
        let is_service = sides.sources.iter().all(|place| matches!(place, Place::Kind(_)));
        let source = match is_service {
            true => Test::Place { side: Side::From, places: sides.sources.clone(), inside: true },
            false => Test::Carries(sides.sources.clone()),
        };
        let tests = vec![source, to(file, true), to(places.to_vec(), false)];
        Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() }
    }

    /// How a call shows that something goes to a service.
    pub(super) fn reached_by(&self, what: &What) -> Option<(Vec<Doing>, Vec<Test>)> {
        let writes = || vec![Doing::Deed(Deed::Writes)];
        Some(match what {
            What::Service(service, _) if !service.did.is_empty() => {
                (vec![Doing::Did(service.did.clone())], Vec::new())
            }
            What::Service(service, _) if !service.server.is_empty() => {
                (writes(), vec![Test::Tool { names: vec![service.server.clone()], is: true }])
            }
            What::Service(service, _) if !service.about.is_empty() => {
                (writes(), vec![Test::About { nouns: vec![service.about.clone()], is: true }])
            }
            What::Service(service, _) if service.place == "network" => {
                (vec![Doing::Deed(Deed::Sends)], vec![to(vec![Place::Network], true)])
            }
            What::Service(service, _) => (writes(), vec![to(vec![Place::Kind(service.place.clone())], true)]),
            What::Server(server) => (Vec::new(), vec![Test::Tool { names: vec![server.clone()], is: true }]),
            _ => return None,
        })
    }

    /// The calls that bring something anywhere but there.
    fn all_but(&self, what: &What, sides: &Sides, tests: &mut Vec<Test>) -> Option<Vec<Doing>> {
        let doing = |is_named: bool, act: &str| {
            Some(vec![if is_named { Doing::Did(act.to_owned()) } else { Doing::Deed(Deed::Sends) }])
        };
        match what {
            What::Party(place @ Place::Domain(_)) if !self.is_site(place, sides) => {
                tests.push(to(vec![Place::Kind("person".to_owned()), Place::External], true));
                tests.push(to(vec![place.clone()], false));
                doing(sides.is_mailed && !sides.is_only, "mail")
            }
            What::Party(place) => {
                tests.push(to(vec![Place::Network], true));
                tests.push(to(vec![place.clone()], false));
                doing(sides.is_mailed && !sides.is_only, "mail")
            }
            What::Thing(places) => {
                tests.push(to(vec![Place::Network], true));
                tests.push(to(places.clone(), false));
                doing(sides.is_posted, "post")
            }
            _ => None,
        }
    }

    /// Whether a host is a site that things are uploaded to, and not one that people have addresses at.
    fn is_site(&self, place: &Place, sides: &Sides) -> bool {
        let Place::Domain(host) = place else { return false };
        let is_own = self.hand.layout.internal.iter().any(|own| own.contains(host.as_str()));
        !is_own && !sides.has_people && host.split('.').count() > 2
    }
}
