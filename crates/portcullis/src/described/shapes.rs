//! The short forms of a description: a name where an object could stand, one thing where a list could.
//!
//! Read by hand: serde's derived "one of these" takes a list of two names for an object with two fields.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::{DescribedResource, DetailedResource, Resources};

struct ResourceVisitor;

impl<'de> Visitor<'de> for ResourceVisitor {
    type Value = DescribedResource;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name or an object with a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<DescribedResource, E> {
        Ok(DescribedResource::Name(name.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DescribedResource, A::Error> {
        DetailedResource::deserialize(MapAccessDeserializer::new(map)).map(DescribedResource::Detailed)
    }
}

impl<'de> Deserialize<'de> for DescribedResource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DescribedResource, D::Error> {
        deserializer.deserialize_any(ResourceVisitor)
    }
}

struct ResourcesVisitor;

impl<'de> Visitor<'de> for ResourcesVisitor {
    type Value = Resources;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name, an object with a name, or a list of these")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Resources, E> {
        ResourceVisitor.visit_str(name).map(|resource| Resources(vec![resource]))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Resources, A::Error> {
        ResourceVisitor.visit_map(map).map(|resource| Resources(vec![resource]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Resources, A::Error> {
        let mut resources = Vec::new();
        while let Some(resource) = list.next_element()? {
            resources.push(resource);
        }
        Ok(Resources(resources))
    }
}

impl<'de> Deserialize<'de> for Resources {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Resources, D::Error> {
        deserializer.deserialize_any(ResourcesVisitor)
    }
}
