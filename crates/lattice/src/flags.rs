//! Small closed sets of named flags: effects, taint labels, realms.
//!
//! Each is a power set ordered by inclusion, so join is union and meet is intersection. They differ in their
//! members and in the names users read, nothing else; hence one macro.

/// Declares an enum of flags and the set type over it.
macro_rules! flag_set {
    (
        $(#[$flag_doc:meta])* $flag:ident,
        $(#[$set_doc:meta])* $set:ident {
            $( $(#[$variant_doc:meta])* $variant:ident = $name:literal ),+ $(,)?
        }
    ) => {
        $(#[$flag_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $flag { $( $(#[$variant_doc])* $variant ),+ }

        impl $flag {
            /// Every member, in the order in which users see them.
            pub const ALL: &'static [$flag] = &[ $( $flag::$variant ),+ ];

            /// The word users read and write.
            pub const fn name(self) -> &'static str {
                match self { $( $flag::$variant => $name ),+ }
            }

            /// The member with this name.
            pub fn from_name(name: &str) -> Option<$flag> {
                match name { $( $name => Some($flag::$variant), )+ _ => None }
            }
        }

        impl core::fmt::Display for $flag {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result { f.write_str(self.name()) }
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $set(u8);

        impl $set {
            /// The set without members.
            pub const EMPTY: $set = $set(0);
            /// The set of all members.
            pub const ALL: $set = $set(0 $( | (1 << $flag::$variant as u8) )+);

            /// The set of one member.
            pub const fn only(flag: $flag) -> $set { $set(1 << flag as u8) }

            /// This set and one more member.
            #[must_use]
            pub const fn with(self, flag: $flag) -> $set { $set(self.0 | 1 << flag as u8) }

            /// Whether `flag` is a member.
            pub const fn contains(self, flag: $flag) -> bool { self.0 & (1 << flag as u8) != 0 }

            /// The order: every member of this set is one of `other`.
            pub const fn is_subset(self, other: $set) -> bool { self.0 & !other.0 == 0 }

            /// Whether the two sets share a member.
            pub const fn overlaps(self, other: $set) -> bool { self.0 & other.0 != 0 }

            /// The least set above both.
            #[must_use]
            pub const fn join(self, other: $set) -> $set { $set(self.0 | other.0) }

            /// The greatest set below both.
            #[must_use]
            pub const fn meet(self, other: $set) -> $set { $set(self.0 & other.0) }

            /// What this set has and `other` lacks.
            #[must_use]
            pub const fn minus(self, other: $set) -> $set { $set(self.0 & !other.0) }

            /// Whether the set has no members.
            pub const fn is_empty(self) -> bool { self.0 == 0 }

            /// The members, in the order of their declaration.
            pub fn iter(self) -> impl Iterator<Item = $flag> {
                $flag::ALL.iter().copied().filter(move |flag| self.contains(*flag))
            }
        }

        impl FromIterator<$flag> for $set {
            fn from_iter<I: IntoIterator<Item = $flag>>(flags: I) -> $set {
                flags.into_iter().fold($set::EMPTY, $set::with)
            }
        }

        impl From<$flag> for $set {
            fn from(flag: $flag) -> $set { $set::only(flag) }
        }

        /// The members' names with commas between, as rules write them; nothing for the empty set.
        impl core::fmt::Display for $set {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                for (position, flag) in self.iter().enumerate() {
                    if position > 0 { f.write_str(", ")?; }
                    f.write_str(flag.name())?;
                }
                Ok(())
            }
        }

        impl core::fmt::Debug for $set {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }
    };
}

flag_set! {
    /// One thing a call does to the world.
    Effect,
    /// What a call does to the world: a set of effects, ordered by inclusion.
    Effects {
        /// Looks, without changing anything.
        Read = "read",
        /// Changes or sends.
        Write = "write",
        /// Destroys.
        Del = "del",
        /// Runs code to completion.
        Exec = "exec",
        /// Leaves something running: a process, a container, another agent.
        Spawn = "spawn",
    }
}

flag_set! {
    /// One way in which data can be tainted.
    Label,
    /// The labels that data carries, ordered by inclusion; the empty set is untainted.
    Taint {
        /// Came from a credential or from a place the user marked sensitive.
        Secret = "secret",
        /// Came from somewhere an attacker may write.
        Untrusted = "untrusted",
    }
}

flag_set! {
    /// Where a resource lies, seen from the session.
    Realm,
    /// The realms that a resource, as used in a call, may touch.
    Realms {
        /// The agent's own context window.
        Context = "context",
        /// This machine's files.
        Local = "local",
        /// The user's organisation and own accounts.
        Internal = "internal",
        /// Everybody else.
        External = "external",
    }
}

impl Realms {
    /// Both realms beyond this machine.
    pub const NETWORK: Realms = Realms::only(Realm::Internal).with(Realm::External);
}
