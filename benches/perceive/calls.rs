//! Whole calls as agents make them, from arguments to acts, the scan for credentials included.

use std::error::Error;
use std::hint::black_box;

use portcullis_lattice::Taint;
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::derive::{Definition, derive};
use portcullis_perceive::layout::{Ground, Layout};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver, Perception};
use serde_json::{Value, json};

use crate::compare::Case;
use crate::definitions;
use crate::texts::{PIPELINE, STATEMENT};

/// As long as the plain one, with quoted names, casts, dates and a window.
const DRESSED: &str = "WITH \"monthly\" AS (\n  SELECT \"o\".\"customer_id\", o.\"order_date\"::date AS order_day, \
    CAST(o.total_amount AS numeric(12, 2)) AS total, o.status\n  FROM \"sales\".\"orders\" AS o\n  \
    WHERE o.order_date >= DATE '2026-01-01' AND o.order_date < TIMESTAMP '2026-07-01 00:00:00' AND o.status IN ('paid', 'shipped')\n)\n\
    SELECT m.customer_id, m.order_day, m.total::float8 AS amount,\n       \
    ROW_NUMBER() OVER (PARTITION BY m.customer_id ORDER BY m.order_day DESC) AS position_of_order,\n       \
    SUM(m.total) OVER (PARTITION BY m.customer_id ORDER BY m.order_day) AS running_total,\n       \
    CASE WHEN m.total > 50000 THEN 'gold' WHEN m.total > 10000 THEN 'silver' ELSE 'bronze' END AS tier,\n       \
    COALESCE(p.\"discount_rate\", 0)::int AS discount\nFROM \"monthly\" m\nJOIN crm.\"customers\" c ON c.customer_id = m.customer_id\n\
    LEFT JOIN crm.partner_terms p ON p.customer_id = c.customer_id AND p.valid_until >= DATE '2026-06-30'\n\
    WHERE c.region IN ('emea', 'apac') AND c.is_active = 1 AND c.\"customer_name\" NOT LIKE 'Test%'\n\
    ORDER BY m.order_day DESC, c.customer_name ASC\nLIMIT 100";

/// Changes one row in twelve columns.
const UPDATE: &str = "UPDATE crm.customers SET customer_name = 'Northwind Traders', contact_title = 'Head of purchasing', \
    street_address = 'Harbour Road 12', postal_code = '20457', city_name = 'Hamburg', country_code = 'DE', \
    credit_limit = 25000.50, discount_rate = 0.05, is_active = 1, updated_reason = 'moved to the new office', \
    last_contact = '2026-06-30', account_manager = 'dana' WHERE customer_id = 48213 AND is_locked = 0";

const BODY: &str = "Hello all,\n\nthe report for the second quarter is finished. The token budget of the new release is kept, the \
    keys of the map are sorted, and the parser ships first. Please look at https://acme.com/plan before Monday and \
    tell me what is missing.\n\nKind regards\nAnn\n";

/// Everything that is the same for all calls of a session.
struct Session {
    catalogue: Catalogue,
    ground: Ground,
    formats: Formats,
}

impl Session {
    fn new() -> Result<Session, Box<dyn Error>> {
        let layout = Layout {
            workspace: "/home/ann/project".into(),
            home: "/home/ann".into(),
            internal: vec!["acme.com".into()],
            ..Layout::default()
        };
        Ok(Session {
            catalogue: Catalogue::built_in()?,
            ground: layout.ground()?,
            formats: Formats::built_in()?,
        })
    }

    fn call(&self, profile: &Profile, arguments: &Value) -> Perception {
        let tools = |_: &str| None;
        Perceiver { ground: &self.ground, formats: &self.formats, resolver: &NoLinks, tools: &tools }.call(
            profile,
            arguments,
            &Memory::default(),
        )
    }

    /// A call that is measured; it must be understood without a doubt.
    fn case(
        &'static self,
        name: &'static str,
        budget: Option<f64>,
        profile: Profile,
        arguments: Value,
    ) -> Result<Case, Box<dyn Error>> {
        let seen = self.call(&profile, &arguments);
        if seen.acts.is_empty() || !seen.doubts.is_empty() {
            return Err(format!("{name}: not understood: {seen:?}").into());
        }
        let baseline = json(&arguments);
        Ok(Case {
            name,
            budget,
            analyse: Box::new(move || drop(black_box(self.call(black_box(&profile), black_box(&arguments))))),
            baseline_name: "serde_json reads the arguments",
            baseline,
        })
    }

    fn catalogued(
        &'static self,
        (name, budget): (&'static str, f64),
        (server, tool): (&str, &str),
        arguments: Value,
    ) -> Result<Case, Box<dyn Error>> {
        let profile = self.catalogue.profile(server, tool).ok_or("no such tool")?.clone();
        self.case(name, Some(budget), profile, arguments)
    }

    /// From the acts of a mail to flows of the lattice.
    fn flows(&'static self) -> Result<Case, Box<dyn Error>> {
        let profile = self.catalogue.profile("gmail", "send_email").ok_or("no such tool")?;
        let seen = self.call(profile, &mail());
        Ok(Case {
            name: "from acts to flows, five recipients",
            budget: None,
            analyse: Box::new(move || {
                for act in black_box(&seen.acts) {
                    drop(black_box(self.ground.flow(act, Taint::EMPTY)));
                }
            }),
            baseline_name: "serde_json reads the arguments",
            baseline: json(&mail()),
        })
    }
}

pub(crate) fn all() -> Result<Vec<Case>, Box<dyn Error>> {
    // Lives as long as the benchmark.
    let session: &'static Session = Box::leak(Box::new(Session::new()?));
    let sql = |text: &str| json!({ "sql": text });
    let typical = derive("desk", &Definition::read(&definitions::typical())?);
    let unlisted = derive("desk", &Definition::read(&definitions::unlisted())?);
    let ticket = json!({
        "project_id": "ops", "ticket_id": 4711, "title": "Printer on the third floor", "body": BODY,
        "assignee": "dana", "priority": "high", "labels": ["hardware", "office"], "is_draft": false
    });
    let query = ("postgres", "query");
    Ok(vec![
        session.catalogued(
            ("a file is read", 5.0),
            ("filesystem", "read_text_file"),
            json!({ "path": "src/network/../paths/walk.rs", "head": 40 }),
        )?,
        session.catalogued(("a mail to five", 10.0), ("gmail", "send_email"), mail())?,
        session.catalogued(
            ("a command line of 200 characters", 60.0),
            ("desktop-commander", "start_process"),
            json!({ "command": PIPELINE, "timeout_ms": 5000 }),
        )?,
        session.catalogued(("SQL, 1 kB, plain", 60.0), query, sql(STATEMENT))?,
        session.catalogued(("SQL, 1 kB, casts, windows, quotes", 60.0), query, sql(DRESSED))?,
        session.catalogued(("SQL, UPDATE of 500 B", 60.0), query, sql(UPDATE))?,
        session.catalogued(("SQL, INSERT of 1 kB", 60.0), query, sql(&insert()))?,
        session.case("a derived tool", None, typical, ticket.clone())?,
        session.case("a derived tool, nothing listed", None, unlisted, ticket)?,
        session.flows()?,
    ])
}

fn mail() -> Value {
    json!({
        "to": ["Ann Lee <ann.lee@acme.com>", "bob@acme.com", "\"Lee, Chris\" <chris@customer0.com>"],
        "cc": ["dana.smith@partner.example.co.uk", "eve@acme.com"],
        "subject": "Report for the second quarter", "body": BODY
    })
}

/// Ten rows.
fn insert() -> String {
    let rows: Vec<String> = (0..10)
        .map(|row| {
            format!(
                "({row}, 'Item number {row} of the delivery', {row}.25, '2026-06-{:02}', NULL, 1)",
                row + 1
            )
        })
        .collect();
    let columns = "order_id, item_name, unit_price, delivered_on, remark, is_billed";
    format!("INSERT INTO sales.order_items ({columns}) VALUES\n{}", rows.join(",\n"))
}

/// Reading the same as JSON, which happens to every call.
pub(crate) fn json(value: &Value) -> Box<dyn Fn()> {
    let text = value.to_string();
    Box::new(move || drop(black_box(serde_json::from_str::<Value>(black_box(&text)))))
}
