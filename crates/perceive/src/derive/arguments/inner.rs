//! What stands inside arguments: in a wrapper as good as an argument, elsewhere content, unless its name says who is
//! written to or what is done.

use super::super::definition::{Property, Within};
use super::super::manner::{Manner, Told};
use super::super::vocabulary::{Arguments, has_any};
use super::Roles;
use super::languages::Database;
use super::tells::public;

impl Roles {
    /// Places something that stands inside an argument.
    pub(super) fn inside_of(
        &mut self,
        property: &Property,
        names: &Arguments,
        sql: &Database,
        told: &Told,
        remote: bool,
    ) {
        match &property.within {
            Within::Call | Within::Wrapper => {
                // The name of a file that comes along with its content is none of this machine.
                let is_new = property.is_beside_content && property.words.iter().any(|word| word == "name");
                let placed = self.receiver(property, told)
                    || self.place(property, names, sql)
                    || !is_new && self.path(property, names, remote);
                if !placed {
                    self.state(property, names, told);
                    self.destination(property, names, told);
                }
            }
            Within::Object(around) => self.content(property, around, names, sql, told, remote),
        }
    }

    fn content(
        &mut self,
        property: &Property,
        around: &[String],
        names: &Arguments,
        sql: &Database,
        told: &Told,
        remote: bool,
    ) {
        let words = &property.words;
        let is_text = property.is_text() || property.is_plain_list;
        let has_mail = has_any(&names.mail, words);
        let sends = told.manners.iter().any(|manner| matches!(manner, Manner::Send | Manner::Share));
        let is_told = has_mail && (sends || has_any(&names.told, words) || has_any(&names.told, around));
        let goes_along =
            told.manners.iter().any(|manner| matches!(manner, Manner::Send | Manner::Share | Manner::Upload));
        if is_text && has_any(&names.hook, words)
            || has_any(&names.hook, around) && has_any(&names.url, words)
        {
            self.hooks.push(property.path());
        } else if is_text && is_told && property.values.is_empty() && !told.only_looks() {
            self.mails.push(property.path());
        } else if property.is_text() && sql.speaks_sql && has_any(&names.sql, words) {
            self.sql = self.sql.take().or(Some((property.path(), sql.dialect)));
        } else if goes_along
            && is_text
            && !remote
            && has_any(&names.path, words)
            && !property.is_beside_content
        {
            self.path(property, names, remote);
        } else if self.public.is_none() && has_any(&names.public, words) {
            self.public = public(property);
        } else if property.is_flag() && has_any(&names.gone, words) {
            self.state(property, names, told);
        }
        self.destination_inside(property, around, names, told);
    }

    /// A copy goes to what its destination names, however deep.
    fn destination_inside(&mut self, property: &Property, around: &[String], names: &Arguments, told: &Told) {
        let puts = told.manners.iter().any(|manner| matches!(manner, Manner::Move | Manner::Copy));
        let is_id = property.words.last().is_some_and(|word| matches!(word.as_str(), "id" | "key" | "name"));
        let to = |word: &String| {
            super::has(&names.path_out, word) || matches!(word.as_str(), "new" | "parent" | "into")
        };
        if puts && is_id && property.is_plain() && around.iter().any(to) {
            self.destinations.push(property.path());
        }
    }
}
