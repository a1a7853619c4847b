//! A walk through the tree of a statement: what is read where, by which statement, under which names.

use core::ops::ControlFlow;

use portcullis_lattice::Effect;
use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName, Query, SetExpr,
    Statement, TableFactor, Value, Visitor,
};

use super::file::Files;
use super::functions::{self, Kind};
use super::names::Namer;
use super::outline::{self, StatementKind, named_aside, outline};
use super::reading::{deed, everything, table_names};
use super::statement::{self, Role};
use super::{Dialect, Doubt, Reading, context};
use crate::deed::{Deed, Use};

/// The names that one query defines for itself.
struct Scope {
    query: *const Query,
    is_recursive: bool,
    /// Not yet visible: name, and the query that defines it.
    coming: Vec<(String, *const Query)>,
    /// Visible: name, and the tables it stands for.
    defined: Vec<(String, Vec<Use>)>,
    /// How much the statement around had read before this query.
    start: usize,
}

/// One statement that is being walked, perhaps inside another.
struct Frame {
    role: Role,
    reads: Vec<Use>,
    /// How many queries were open when it began.
    depth: usize,
    /// Which of the told statements it is, if any.
    told: Option<usize>,
}

/// What a walk has found so far.
pub(super) struct Walk<'a> {
    namer: Namer,
    dialect: Dialect,
    files: Files<'a>,
    frames: Vec<Frame>,
    scopes: Vec<Scope>,
    /// Deeds of the present top statement.
    fresh: Vec<Deed>,
    reading: Reading,
    /// The statements, where somebody asks for them.
    told: Option<Vec<outline::Statement>>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(dialect: Dialect, files: Files<'a>, told: Option<Vec<outline::Statement>>) -> Walk<'a> {
        let namer = Namer::new(dialect);
        let (frames, scopes, fresh) = (Vec::new(), Vec::new(), Vec::new());
        Walk { namer, dialect, files, frames, scopes, fresh, reading: Reading::default(), told }
    }

    pub(super) fn finish(self) -> (Reading, Option<Vec<outline::Statement>>) {
        (self.reading, self.told)
    }

    /// Takes what the statement did, after looking for moves: whoever copies from a table and deletes there in one
    /// statement moves.
    pub(super) fn end_statement(&mut self) {
        self.frames.clear();
        self.scopes.clear();
        let fresh = core::mem::take(&mut self.fresh);
        let (deletions, mut others): (Vec<Deed>, Vec<Deed>) =
            fresh.into_iter().partition(|deed| deed.effects == Effect::Del.into());
        for deletion in deletions {
            let copy = others.iter_mut().find(|other| {
                let copies = other.effects.contains(Effect::Write) && !other.effects.contains(Effect::Exec);
                copies && deletion.inputs.iter().all(|table| other.inputs.contains(table))
            });
            match copy {
                Some(copy) => copy.effects = copy.effects.with(Effect::Del),
                None => others.push(deletion),
            }
        }
        others.into_iter().for_each(|deed| self.reading.add(deed));
    }

    fn read(&mut self, place: Use) {
        match self.frames.last_mut() {
            Some(frame) => frame.reads.push(place),
            None => self.fresh.push(deed([place], [context()], Effect::Read)),
        }
    }

    /// The tables that a name of one word stands for, if a query around defines it.
    fn defined(&self, word: &str) -> Option<Vec<Use>> {
        self.scopes.iter().rev().find_map(|scope| {
            let named = |(name, _): &&(String, Vec<Use>)| name == word;
            let own = scope.is_recursive && scope.coming.iter().any(|(name, _)| name == word);
            let tables = scope.defined.iter().rev().find(named).map(|(_, tables)| tables.clone());
            tables.or_else(|| own.then(Vec::new))
        })
    }

    fn relation(&mut self, name: &ObjectName) {
        if let Some(tables) = self.namer.word(name).and_then(|word| self.defined(&word)) {
            tables.into_iter().for_each(|table| self.read(table));
            return;
        }
        for ident in name.0.iter().filter_map(|part| part.as_ident()) {
            if ident.quote_style == Some('\'') || (self.dialect == Dialect::DuckDb && is_file_name(ident)) {
                return self.file_read(Some(&ident.value));
            }
        }
        self.read(self.namer.table(name));
    }

    fn file_read(&mut self, text: Option<&str>) {
        match text.and_then(|text| self.files.place(text)) {
            Some(place) => self.read(place),
            None => {
                self.reading.doubt(Doubt::SomeFile);
                self.fresh.push(deed([context()], [everything()], Effect::Exec));
            }
        }
    }

    /// A function in the place of a table. `glob` compares texts elsewhere; here it lists files.
    fn call_as_table(&mut self, name: &ObjectName, arguments: &[Option<&str>]) {
        if self.namer.parts(name).last().is_some_and(|last| last == "glob") {
            return self.file_read(arguments.first().copied().flatten());
        }
        self.call(name, arguments);
    }

    fn call(&mut self, name: &ObjectName, arguments: &[Option<&str>]) {
        let parts = self.namer.parts(name);
        let first = arguments.first().copied().flatten();
        match functions::kind(&parts) {
            Kind::Harmless => {}
            Kind::ReadsFile => self.file_read(first),
            Kind::WritesFile => {
                // `writefile(file, data)`, `lo_export(object, file)`.
                let texts: Vec<&str> = arguments.iter().copied().flatten().collect();
                let places: Vec<Use> = texts.iter().filter_map(|text| self.files.place(text)).collect();
                if places.is_empty() {
                    self.file_read(None);
                }
                let writes = places.into_iter().map(|place| deed([context()], [place], Effect::Write));
                self.fresh.extend(writes);
            }
            Kind::Changes => {
                let target = first.map_or_else(everything, |text| self.namer.written(text));
                self.fresh.push(deed([context()], [target], Effect::Write));
            }
            Kind::Administers => self.fresh.push(deed([context()], [everything()], Effect::Write)),
            Kind::Runs => {
                self.reading.doubt(Doubt::HiddenCode);
                self.fresh.push(deed([context()], [everything()], Effect::Exec));
            }
            Kind::Reaches => {
                self.reading.doubt(Doubt::Elsewhere);
                self.fresh.push(deed([context()], [everything()], Effect::Exec));
                if let Some(place) =
                    first.filter(|text| text.contains("://")).and_then(|url| self.files.place(url))
                {
                    self.read(place);
                }
            }
            Kind::Unknown => {
                self.reading.doubt(Doubt::HiddenCode);
                self.fresh.push(deed([self.namer.object(name)], [context()], Effect::Exec));
            }
        }
    }

    fn call_of(&mut self, function: &Function) {
        let list = match &function.args {
            FunctionArguments::List(list) => list.args.as_slice(),
            FunctionArguments::None | FunctionArguments::Subquery(_) => &[],
        };
        self.call(&function.name, &literals(list));
    }

    fn enter(&mut self, query: &Query) {
        let mut scope = Scope {
            query,
            // There a name is visible in its own definition without being called recursive.
            is_recursive: self.dialect == Dialect::MsSql,
            coming: Vec::new(),
            defined: Vec::new(),
            start: self.frames.last().map_or(0, |frame| frame.reads.len()),
        };
        if let Some(with) = &query.with {
            scope.is_recursive |= with.recursive;
            let names =
                with.cte_tables.iter().map(|one| (self.namer.ident(&one.alias.name), &raw const *one.query));
            scope.coming = names.collect();
        }
        self.scopes.push(scope);
    }

    /// A finished query that defines a name for the query around becomes visible there.
    fn leave(&mut self) {
        let Some(left) = self.scopes.pop() else { return };
        let Some(around) = self.scopes.last_mut() else { return };
        let Some(at) = around.coming.iter().position(|(_, query)| *query == left.query) else { return };
        let (name, _) = around.coming.remove(at);
        let tables = self.frames.last().and_then(|frame| frame.reads.get(left.start..)).unwrap_or_default();
        around.defined.push((name, tables.to_vec()));
    }

    /// `TABLE orders` is a query, and its name is no relation of the tree.
    fn table_commands(&mut self, body: &SetExpr) {
        match body {
            SetExpr::Table(table) => {
                let parts = [table.schema_name.as_ref(), table.table_name.as_ref()];
                let idents = parts.into_iter().flatten().map(Ident::new).collect::<Vec<_>>();
                self.relation(&ObjectName::from(idents));
            }
            SetExpr::SetOperation { left, right, .. } => {
                self.table_commands(left);
                self.table_commands(right);
            }
            SetExpr::Select(select) => {
                let targets = select.into.iter().flat_map(|into| &into.targets);
                let targets: Vec<Use> = targets.filter_map(|target| self.made_table(target)).collect();
                match self.frames.last_mut() {
                    Some(frame) if frame.role.only_plans => frame.reads.extend(targets),
                    Some(frame) if !targets.is_empty() => frame.role.writes.extend(targets),
                    _ => {}
                }
            }
            SetExpr::Query(_)
            | SetExpr::Values(_)
            | SetExpr::Insert(_)
            | SetExpr::Update(_)
            | SetExpr::Delete(_)
            | SetExpr::Merge(_) => {}
        }
    }

    /// What `SELECT … INTO` makes: a table, unless it is a variable.
    fn made_table(&self, target: &Expr) -> Option<Use> {
        let idents = match target {
            Expr::Identifier(ident) => vec![ident.clone()],
            Expr::CompoundIdentifier(idents) => idents.clone(),
            _ => return Some(everything()),
        };
        let is_variable = idents.first().is_some_and(|ident| ident.value.starts_with('@'));
        (!is_variable).then(|| self.namer.table(&ObjectName::from(idents)))
    }

    /// Takes down a statement that is run, if somebody asks.
    fn tell(&mut self, statement: &Statement) -> Option<usize> {
        let told = self.told.as_mut()?;
        let named: Vec<Use> = named_aside(statement).iter().map(|name| self.namer.table(name)).collect();
        told.push(outline::Statement { tables: table_names(named.iter()), ..outline(statement)? });
        Some(told.len() - 1)
    }

    /// Adds its tables to a statement that was taken down.
    fn tell_tables(&mut self, frame: &Frame) {
        let told = self.told.as_mut().zip(frame.told).and_then(|(told, at)| told.get_mut(at));
        let Some(told) = told else { return };
        let Frame { role, reads, .. } = frame;
        // What is renamed is told as a deed alone.
        let deeds = if told.kind == StatementKind::Alter { role.deeds.as_slice() } else { &[] };
        let moved = deeds.iter().flat_map(|deed| deed.inputs.iter().chain(&deed.outputs));
        let tables = table_names(role.writes.iter().chain(&role.deletes).chain(moved).chain(reads));
        let named = core::mem::replace(&mut told.tables, tables);
        told.tables.extend(named.into_iter().filter(|name| !told.tables.contains(name)).collect::<Vec<_>>());
    }

    fn end(&mut self, frame: Frame) {
        self.tell_tables(&frame);
        let Frame { role, reads, .. } = frame;
        let others: Vec<Use> = reads.iter().filter(|read| !role.deletes.contains(read)).cloned().collect();
        let targets: Vec<Use> = role.writes.iter().chain(&role.deletes).cloned().collect();
        if !role.deletes.is_empty() {
            self.fresh.push(deed(role.deletes.clone(), role.deletes.clone(), Effect::Del));
        }
        if !role.writes.is_empty() {
            let effects = role.effects.with(Effect::Write);
            self.fresh.push(deed(reads.iter().cloned(), role.writes.iter().cloned(), effects));
        } else if !role.deletes.is_empty() && !others.is_empty() {
            self.fresh.push(deed(others, [context()], Effect::Read));
        } else if role.shows && !reads.is_empty() {
            self.fresh.push(deed(reads, [context()], Effect::Read));
        } else if !role.shows && role.deletes.is_empty() && role.passes_on {
            // What a clause or a branch read belongs to the statement around.
            reads.into_iter().for_each(|read| self.read(read));
        }
        if role.returns {
            match self.frames.last_mut() {
                Some(around) => {
                    // The rows of a clause go to whoever names the clause, not to whoever asked.
                    let is_whole = self.scopes.len() == around.depth + 1;
                    around.role.shows |= around.role.is_query && is_whole;
                    around.reads.extend(targets);
                }
                None => self.fresh.push(deed(targets, [context()], Effect::Read)),
            }
        }
        self.fresh.extend(role.deeds);
    }
}

impl Visitor for Walk<'_> {
    type Break = core::convert::Infallible;

    fn pre_visit_statement(&mut self, statement: &Statement) -> ControlFlow<Self::Break> {
        let is_only_planned = self.frames.last().is_some_and(|frame| frame.role.only_plans);
        let mut role = statement::role(statement, self.namer, self.files);
        if is_only_planned {
            role = role.planned();
        }
        role.doubts.drain(..).for_each(|doubt| self.reading.doubt(doubt));
        // Changing a name that a query defines changes what lies below it, where that is allowed at all.
        let words: Vec<String> =
            role.writes.iter().chain(&role.deletes).map(|target| target.name.clone()).collect();
        let below = words.iter().filter_map(|name| self.defined(name.strip_prefix("db:")?)).flatten();
        let below: Vec<Use> = below.collect();
        match role.deletes.is_empty() {
            true => role.writes.extend(below),
            false => role.deletes.extend(below),
        }
        let reads = core::mem::take(&mut role.reads);
        let told = if is_only_planned { None } else { self.tell(statement) };
        self.frames.push(Frame { role, reads, depth: self.scopes.len(), told });
        ControlFlow::Continue(())
    }

    fn post_visit_statement(&mut self, _: &Statement) -> ControlFlow<Self::Break> {
        if let Some(frame) = self.frames.pop() {
            self.end(frame);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<Self::Break> {
        self.enter(query);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<Self::Break> {
        // Its own names are visible by now.
        self.table_commands(&query.body);
        self.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<Self::Break> {
        let is_target =
            self.frames.last().is_some_and(|frame| frame.role.targets.contains(&(factor as *const _)));
        match factor {
            _ if is_target => {}
            TableFactor::Table { name, args: None, .. } => self.relation(name),
            TableFactor::Table { name, args: Some(arguments), .. } => {
                self.call_as_table(name, &literals(&arguments.args))
            }
            TableFactor::Function { name, args, .. } => self.call_as_table(name, &literals(args)),
            TableFactor::Derived { .. }
            | TableFactor::TableFunction { .. }
            | TableFactor::UNNEST { .. }
            | TableFactor::JsonTable { .. }
            | TableFactor::OpenJsonTable { .. }
            | TableFactor::NestedJoin { .. }
            | TableFactor::Pivot { .. }
            | TableFactor::Unpivot { .. }
            | TableFactor::MatchRecognize { .. }
            | TableFactor::XmlTable { .. } => {}
            _ => self.read(everything()),
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<Self::Break> {
        if let Expr::Function(function) = expression {
            self.call_of(function);
        }
        ControlFlow::Continue(())
    }
}

/// A name that DuckDB reads as a file where there is no such table.
fn is_file_name(ident: &Ident) -> bool {
    let endings = [".csv", ".parquet", ".json", ".jsonl", ".ndjson", ".tsv", ".gz", ".zst", ".db", ".xlsx"];
    let lower = ident.value.to_lowercase();
    ident.quote_style.is_some()
        && (lower.contains('/') || endings.iter().any(|ending| lower.ends_with(ending)))
}

/// The arguments of a call: their text where they are plain strings.
fn literals(arguments: &[FunctionArg]) -> Vec<Option<&str>> {
    let text = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(ref value))) => match &value.value {
            Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => Some(text.as_str()),
            _ => None,
        },
        _ => None,
    };
    arguments.iter().map(text).collect()
}
