//! Plain queries are read without a grammar, and every grammar reads them alike: a comment in front of a text, with
//! which it is not plain any more, changes nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::sql::{self, Dialect, Folder};
use proptest::prelude::*;
use sqlparser::keywords::ALL_KEYWORDS;

const DIALECTS: [Option<Dialect>; 5] =
    [Some(Dialect::Postgres), Some(Dialect::MySql), Some(Dialect::Sqlite), Some(Dialect::Generic), None];

fn check(text: &str) {
    for dialect in DIALECTS {
        check_as(text, dialect);
    }
}

/// Whoever asks for the statements gets the same of them, too, and nothing else changes by asking.
fn check_as(text: &str, dialect: Option<Dialect>) {
    let commented = format!("/**/{text}");
    let read = |text: &str| sql::read(text, dialect, Folder(None), &NoLinks);
    let tell = |text: &str| sql::read_with_statements(text, dialect, Folder(None), &NoLinks);
    let reading = read(text);
    assert_eq!(reading, read(&commented), "{dialect:?}: {text}");
    let told = tell(text);
    assert_eq!(reading, told.0, "{dialect:?}: {text}");
    assert_eq!(told, tell(&commented), "{dialect:?}: {text}");
}

#[test]
fn every_keyword_is_read_alike_wherever_a_name_can_stand() {
    for keyword in ALL_KEYWORDS {
        for text in [
            format!("SELECT {keyword} FROM t"),
            format!("SELECT a, {keyword}, b FROM t"),
            format!("SELECT a {keyword} FROM t"),
            format!("SELECT a AS {keyword} FROM t"),
            format!("SELECT a FROM {keyword}"),
            format!("SELECT a FROM t {keyword}"),
            format!("SELECT a FROM t, u {keyword} WHERE a = 1"),
            format!("SELECT t.{keyword} FROM s.{keyword}"),
            format!("SELECT {keyword}(a) FROM t"),
            format!("SELECT a FROM t WHERE {keyword} = 1 ORDER BY {keyword}"),
            format!("WITH {keyword} AS (SELECT a FROM t) SELECT b FROM {keyword}"),
            format!("SELECT {keyword} 'x' FROM t"),
            format!("SELECT a::{keyword} FROM t"),
            format!("SELECT a::{keyword}(3) AS b FROM t"),
            format!("SELECT a::int {keyword} FROM t"),
            format!("SELECT CAST(a AS {keyword}) FROM t"),
            format!("SELECT CAST(a AS int {keyword}) FROM t"),
            format!("SELECT {keyword}(a) OVER (ORDER BY b) FROM t"),
            format!("SELECT sum(a) OVER (PARTITION BY b {keyword} ORDER BY c) FROM t"),
            format!("SELECT sum(a) {keyword} FROM t"),
            format!("INSERT INTO {keyword} (a) VALUES (1)"),
            format!("INSERT INTO t ({keyword}) VALUES (1)"),
            format!("INSERT INTO t {keyword} (a) VALUES (1)"),
            format!("INSERT INTO t (a) VALUES (1) {keyword}"),
            format!("INSERT {keyword} INTO t VALUES ({keyword})"),
            format!("UPDATE {keyword} SET a = 1"),
            format!("UPDATE t {keyword} SET {keyword} = 1 WHERE b = 2"),
            format!("UPDATE t SET a = {keyword} WHERE b = 2 {keyword}"),
            format!("DELETE FROM {keyword} WHERE a = 1"),
            format!("DELETE FROM t {keyword} WHERE a = 1"),
            format!("DELETE {keyword} FROM t"),
        ] {
            // Without a dialect these are joined, so that what holds for each holds for all.
            for dialect in DIALECTS.into_iter().filter(Option::is_some) {
                check_as(&text, dialect);
            }
        }
    }
}

/// Near the border of what is plain, on either side.
const BORDER: &[&str] = &[
    "SELECT a FROM t WHERE b = 'it''s' AND c <> 1.5",
    "SELECT a FROM t -- FROM u\n",
    "SELECT a FROM t /*! , u */",
    "SELECT a FROM t # , u",
    "SELECT a FROM t WHERE b = 'x\\' OR c IN (SELECT d FROM u) -- '",
    "SELECT a FROM t WHERE b = 'x\\' OR c = 'y'",
    "SELECT a FROM t WHERE b = 'x\\' OR c IN (SELECT d FROM u)",
    "SELECT a FROM t WHERE b = 'x\\'' OR c IN (SELECT d FROM u) OR e = 'y'",
    "SELECT a FROM t WHERE b = \"x\"",
    "SELECT a FROM t WHERE b = E'x' AND c = N'y' AND d = x'00'",
    "SELECT a FROM t WHERE b <=> c",
    "SELECT a FROM t WHERE b = -1 AND c = - 1 AND d = a--1",
    "SELECT a FROM t WHERE b = c--1 + (SELECT d FROM u)",
    "SELECT a FROM t WHERE b = c = d",
    "SELECT a FROM t WHERE b BETWEEN 1 AND 2 AND c NOT BETWEEN d AND e + 1",
    "SELECT a FROM t WHERE NOT NOT b",
    "SELECT a FROM t WHERE NOT b IS NOT NULL OR NOT EXISTS (SELECT c FROM u)",
    "SELECT 1a FROM t",
    "SELECT a FROM t WHERE b = 1.e",
    "SELECT a.1b FROM t",
    "SELECT a.* FROM t",
    "SELECT a.b.c FROM x.y.z",
    "SELECT a FROM w.x.y.z",
    "SELECT lo_import('/etc/passwd'), count(*) FROM t",
    "SELECT mine(a) FROM t",
    "SELECT s.count(a) FROM t",
    "SELECT count(DISTINCT a, b), sum(a) FROM t GROUP BY c HAVING max(d) > 1",
    "SELECT a FROM pg_read_file('/etc/passwd')",
    "SELECT a FROM information_schema.tables",
    "SELECT a FROM pg_shadow, mysql.user",
    "SELECT a INTO b FROM t",
    "SELECT a FROM t; DROP TABLE u",
    "SELECT a FROM t;;",
    "SELECT a FROM t FOR UPDATE",
    "SELECT a FROM t LIMIT 1, 2",
    "SELECT a FROM t LIMIT 1 OFFSET 2",
    "SELECT a FROM ONLY t",
    "SELECT a FROM t LEFT JOIN u",
    "SELECT a FROM t JOIN u ON b = c LEFT OUTER JOIN v ON d = e CROSS JOIN w",
    "SELECT a FROM t JOIN u JOIN v ON b = c ON d = e",
    "SELECT a FROM t, (SELECT b FROM u) v, (SELECT c FROM w) AS x",
    "SELECT a FROM (SELECT b FROM u)",
    "SELECT (SELECT b FROM u), a FROM t WHERE c IN (SELECT d FROM v) ORDER BY (SELECT e FROM w)",
    "SELECT a FROM t UNION SELECT b FROM u UNION ALL SELECT c FROM v ORDER BY a DESC LIMIT 3",
    "WITH x AS (SELECT a FROM t), y AS (SELECT b FROM x) SELECT c FROM y, x, z",
    "WITH x AS (SELECT a FROM x) SELECT b FROM x",
    "WITH x AS (SELECT a FROM x, t) SELECT b FROM x",
    "WITH x AS (SELECT a FROM y), y AS (SELECT b FROM t) SELECT c FROM X",
    "WITH x AS (SELECT a FROM t) SELECT b FROM s.x",
    "SELECT a FROM t WHERE b IN (WITH t AS (SELECT c FROM u) SELECT d FROM t)",
    "SELECT CASE WHEN a = 1 THEN 'x' ELSE (SELECT b FROM u) END FROM t",
    "SELECT CASE a WHEN 1 THEN 2 END AS c FROM t",
    "SELECT a FROM t WHERE (b, c) IN ((1, 2))",
    "SELECT a FROM t WHERE b = DATE '2026-01-01'",
    "SELECT a FROM t WHERE b LIKE 'x%' ESCAPE '!'",
    "SELECT count(*) FILTER (WHERE a = 1) FROM t",
    "SELECT sum(a) OVER (PARTITION BY b) FROM t",
    "SELECT \"a\", t.\"B\", \"t\".* FROM \"T\" AS \"x\"",
    "SELECT a FROM \"s\".\"Orders\", S.Orders",
    "SELECT a FROM \"pg_shadow\", \"PG_CLASS\", \"Mysql\".\"user\"",
    "WITH \"X\" AS (SELECT a FROM t) SELECT b FROM X, \"X\", \"x\"",
    "WITH x AS (SELECT a FROM t) SELECT b FROM \"x\", \"X\"",
    "SELECT a FROM \"a.b\", \"\", \"a\"\"b\", \"1a\", \"a b\"",
    "SELECT a FROM \"t\"x, \"u\"'y'",
    "SELECT a\"b\" FROM t",
    "SELECT \"count\"(a), \"lo_import\"('/etc/passwd') FROM t",
    "SELECT a FROM t WHERE \"b\" = \"c\"",
    "SELECT U&\"a\" FROM t",
    "SELECT `a` FROM `s`.`T` AS `x`",
    "SELECT a FROM `t`, \"u\"",
    "SELECT a FROM [t]",
    "SELECT a::int, b::numeric(12, 2), c :: text FROM t",
    "SELECT a::int::text, (a + b)::float8, -1::int, 'x'::date, count(*)::bigint FROM t",
    "SELECT a::mine, b::s.mine, c::int[], d::text COLLATE x FROM t",
    "SELECT a::varchar(3)::varchar(1, 2) FROM t",
    "SELECT a::timestamp with time zone, b::timestamp(3), c::double precision FROM t",
    "SELECT 'u'::regclass, a::int unsigned FROM t",
    "SELECT a:int, b:::int, c::=d FROM t",
    "SELECT a FROM t LIMIT 1::int",
    "SELECT a FROM t::int",
    "SELECT CAST(a AS int), CAST((SELECT b FROM u) AS text) FROM t",
    "SELECT CAST(a AS int FORMAT 'x'), TRY_CAST(b AS int), CAST(c, int) FROM t",
    "SELECT CAST(a AS signed), CAST(b AS char) FROM t",
    "SELECT a FROM t WHERE b > TIMESTAMP '2026-01-01 00:00:00' AND c < DATE '2026-01-01'::date",
    "SELECT DATE'2026-01-01', DATE \"x\", DATE('2026-01-01') FROM t",
    "SELECT a FROM t WHERE b > now() - INTERVAL '30 days'",
    "SELECT a FROM t WHERE b > now() - INTERVAL '30' DAY",
    "SELECT INTERVAL 'x' y, INTERVAL '1 day' * 2 FROM t",
    "SELECT row_number() OVER (PARTITION BY a, b ORDER BY c DESC, d) AS n FROM t",
    "SELECT sum(a) OVER () + lag(b, 1) OVER (ORDER BY (SELECT c FROM u)) FROM t",
    "SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b)",
    "SELECT sum(a) OVER (w PARTITION BY b) FROM t",
    "SELECT sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
    "SELECT sum(a) OVER (ORDER BY b NULLS LAST), a OVER (ORDER BY b) FROM t",
    "SELECT mine(a) OVER (ORDER BY b) FROM t",
    "SELECT sum(a)::int OVER (ORDER BY b) FROM t",
    "INSERT INTO t (a, \"B\", id) VALUES (1, 'x', -2.5), (NULL, DATE '2026-01-01', 3::int);",
    "INSERT INTO s.t VALUES ((SELECT a FROM u), 2)",
    "INSERT INTO t (a) SELECT b FROM u WHERE c = 1 UNION SELECT d FROM v",
    "INSERT INTO t SELECT a FROM t",
    "INSERT INTO t (SELECT a FROM u)",
    "INSERT INTO t (a.b) VALUES (1)",
    "INSERT INTO t VALUES ()",
    "INSERT INTO t VALUES (DEFAULT)",
    "INSERT INTO t DEFAULT VALUES",
    "INSERT INTO t VALUES (1) RETURNING a",
    "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",
    "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1",
    "INSERT INTO t VALUES (1), SELECT a FROM u",
    "INSERT INTO t VALUES (lo_import('/etc/passwd'))",
    "INSERT INTO t VALUES (mine(1))",
    "INSERT INTO t VALUES (1); DELETE FROM u",
    "INSERT INTO t AS x VALUES (1)",
    "INSERT INTO t x (a) VALUES (1)",
    "INSERT OR REPLACE INTO t VALUES (1)",
    "INSERT OVERWRITE t VALUES (1)",
    "INSERT t VALUES (1)",
    "INSERT INTO TABLE t VALUES (1)",
    "INSERT INTO w.x.y.z VALUES (1)",
    "INSERT INTO pg_shadow VALUES (1)",
    "INSERT INTO information_schema.tables VALUES (1)",
    "WITH x AS (SELECT a FROM u) INSERT INTO t SELECT a FROM x",
    "INSERT INTO t WITH x AS (SELECT a FROM u) SELECT a FROM x",
    "INSERT INTO f(1) VALUES (1)",
    "UPDATE t SET a = 1, \"B\" = b + 1, status = 'x' WHERE id = 3 OR c IS NULL",
    "UPDATE s.t AS x SET a = 1",
    "UPDATE t x SET a = (SELECT max(b) FROM u WHERE u.c = x.c)",
    "UPDATE t SET a = (SELECT b FROM t) WHERE c IN (SELECT d FROM v)",
    "UPDATE t SET x.a = 1",
    "UPDATE t SET (a, b) = (1, 2)",
    "UPDATE t SET a = 1 FROM u WHERE t.b = u.b",
    "UPDATE t, u SET a = 1",
    "UPDATE t JOIN u ON t.a = u.a SET t.b = 1",
    "UPDATE t SET a = 1 RETURNING b",
    "UPDATE t SET a = 1 LIMIT 1",
    "UPDATE ONLY t SET a = 1",
    "UPDATE t SET a = b = c",
    "UPDATE t SET a := 1",
    "UPDATE t SET",
    "UPDATE t SET a = 1,",
    "UPDATE (SELECT a FROM t) SET a = 1",
    "UPDATE t SET a = mine(b)",
    "DELETE FROM t WHERE a = 1 AND b NOT IN (1, 2)",
    "DELETE FROM \"T\" x",
    "DELETE FROM t WHERE a IN (SELECT b FROM u)",
    "DELETE FROM t WHERE a IN (SELECT b FROM t)",
    "DELETE FROM t USING u WHERE t.a = u.a",
    "DELETE t FROM t JOIN u ON t.a = u.a",
    "DELETE FROM t WHERE a = 1 RETURNING b",
    "DELETE FROM t LIMIT 1",
    "DELETE FROM t, u",
    "DELETE FROM t JOIN u ON a = b",
    "DELETE t WHERE a = 1",
    "DELETE FROM ONLY t",
    "SELECT * FROM t WHERE 1 = 1",
    "SELECT * FROM t WHERE TRUE LIMIT 500",
    "SELECT t.* FROM t WHERE a = a",
    "SELECT count(*) FROM t WHERE A = a LIMIT 0",
    "SELECT a FROM t WHERE b = 1 OR 1 = 1",
    "SELECT a FROM t WHERE b = 1 AND 1 = 1",
    "SELECT a FROM t WHERE (b = 1 OR 1 = 1) AND c = 2",
    "SELECT a FROM t WHERE b IN (b, 2)",
    "SELECT a FROM t WHERE b IN (1, 2) LIMIT 99999999999999999999999",
    "SELECT a FROM t WHERE b LIKE '%' LIMIT 1.5",
    "SELECT a FROM t WHERE b NOT LIKE '%'",
    "SELECT a FROM t WHERE b = c",
    "SELECT a FROM t WHERE b IS NOT NULL",
    "SELECT a FROM t WHERE NOT b = 1",
    "SELECT a FROM t WHERE b BETWEEN b AND b",
    "SELECT a FROM t WHERE lower('x') = 'x'",
    "SELECT a FROM t WHERE b = 1 UNION SELECT * FROM u",
    "SELECT a FROM t WHERE b = 1 UNION SELECT a FROM u WHERE c = 'x' LIMIT 7",
    "SELECT a FROM (SELECT * FROM t WHERE 1 = 1 LIMIT 5) x WHERE b > 2",
    "SELECT a FROM t WHERE b = (SELECT c FROM u WHERE d = 1 OR e = 2)",
    "WITH x AS (SELECT * FROM t WHERE 1 = 1) SELECT a FROM x WHERE b = 1 LIMIT 3",
    "INSERT INTO t SELECT * FROM u WHERE 1 = 1 LIMIT 3",
    "UPDATE t SET a = 1 WHERE 1 = 1",
    "UPDATE t SET a = 1 WHERE id = 1 OR TRUE",
    "UPDATE t SET a = 1 WHERE id IN (SELECT a FROM u)",
    "DELETE FROM t",
    "DELETE FROM t WHERE 'a' = 'a'",
    "DELETE FROM t WHERE FALSE",
    "DELETE FROM t WHERE id <> 0",
    "DELETE FROM t WHERE id = id",
    "SELECT a FROM t tablesample",
    "SELECT a 'x' FROM t",
    "SELECT FROM t",
    "SELECT a, FROM t",
    "",
];

#[test]
fn what_only_looks_plain_is_read_alike() {
    BORDER.iter().for_each(|text| check(text));
}

#[test]
fn what_is_too_deep_or_too_long_for_the_grammars_is_so_without_them() {
    for levels in 0..14 {
        for (open, close) in [
            ("(", ")"),
            ("(1 + ", ")"),
            ("(a = 1 OR b = 1 AND c = d + e * ", ")"),
            ("CASE WHEN a = ", " THEN 1 END"),
            ("coalesce(a, ", ")"),
            ("(SELECT a FROM t WHERE b = ", ")"),
            ("a IN (SELECT b FROM u WHERE c = 1 AND d > ", ")"),
        ] {
            let inner = format!("{}1{}", open.repeat(levels), close.repeat(levels));
            check(&format!("SELECT a FROM t WHERE b = 1 OR c = 1 AND d = {inner}"));
            check(&format!("WITH x AS (SELECT a FROM t WHERE {inner} = 2) SELECT b FROM x"));
        }
    }
    for count in [50, 90, 100, 140, 270, 280, 290, 300, 400] {
        check(&format!("SELECT a FROM t WHERE b = 1{}", " + 1".repeat(count)));
        check(&format!("SELECT a FROM t WHERE b = 1{}", " AND c.d = 1".repeat(count / 3)));
        check(&format!("SELECT a FROM t{}", " UNION SELECT a FROM t".repeat(count / 3)));
        check(&format!("SELECT a FROM t{}", " JOIN u ON b = c".repeat(count / 3)));
    }
}

/// An expression of the usual forms, and sometimes of others.
fn expressions() -> impl Strategy<Value = String> {
    let leaves = prop::sample::select(vec![
        "a",
        "t.b",
        "s.t.c",
        "1",
        "2.5",
        "'x'",
        "'it''s'",
        "NULL",
        "TRUE",
        "status",
        "name",
        "-1",
        "count(*)",
        "id",
        "date",
        "now()",
        "current_date",
        "E'x'",
        "value",
        "mine(a)",
        "region",
        "\"Q\"",
        "t.\"q\"",
        "`q`",
        "DATE '2026-01-01'",
        "INTERVAL '1 day'",
        "CAST(a AS int)",
    ]);
    leaves.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        let two = (inner.clone(), inner.clone());
        let operators = prop::sample::select(vec![
            "=", "<>", "!=", "<", ">=", "AND", "OR", "+", "-", "*", "/", "LIKE", "NOT LIKE", "||", "IS", "%",
        ]);
        prop_oneof![
            (two.clone(), operators).prop_map(|((one, other), operator)| format!("{one} {operator} {other}")),
            inner.clone().prop_map(|one| format!("({one})")),
            inner.clone().prop_map(|one| format!("NOT {one}")),
            inner.clone().prop_map(|one| format!("{one}::text")),
            inner.clone().prop_map(|one| format!("CAST({one} AS numeric(8, 2))")),
            two.clone()
                .prop_map(|(one, other)| format!("sum({one}) OVER (PARTITION BY {other} ORDER BY a DESC)")),
            inner.clone().prop_map(|one| format!("{one} IS NOT NULL")),
            two.clone().prop_map(|(one, other)| format!("{one} IN ({other}, 2)")),
            two.clone().prop_map(|(one, other)| format!("{one} BETWEEN {other} AND 3")),
            two.clone().prop_map(|(one, other)| format!("CASE WHEN {one} THEN {other} ELSE 0 END")),
            two.clone().prop_map(|(one, other)| format!("coalesce({one}, {other})")),
            two.clone().prop_map(|(one, other)| format!("sum(DISTINCT {one}) + max({other})")),
            two.clone().prop_map(|(one, other)| format!("{one} IN (SELECT {other} FROM inner_table)")),
            two.prop_map(|(one, other)| format!("EXISTS (SELECT {one} FROM other_table o WHERE {other})")),
        ]
    })
}

/// A query of the usual clauses.
fn queries() -> impl Strategy<Value = String> {
    let tables = prop::sample::select(vec![
        "t",
        "s.orders o",
        "T AS u",
        "x",
        "(SELECT a FROM deep) d",
        "t, x",
        "t JOIN u ON t.a = u.b",
        "t LEFT JOIN v ON a = b CROSS JOIN w",
        "pg_class",
        "users",
        "t final",
        "user",
        "t NATURAL JOIN u",
        "\"S\".\"Orders\" AS \"o\"",
        "`Orders` x",
    ]);
    let ends = prop::sample::select(vec![
        "",
        " GROUP BY a, b",
        " GROUP BY a HAVING count(*) > 1",
        " ORDER BY a DESC, b",
        " LIMIT 5",
        " FOR UPDATE",
        " UNION SELECT a FROM y",
        " ORDER BY a LIMIT 5 OFFSET 2;",
        ";",
        " FETCH FIRST 1 ROWS ONLY",
    ]);
    let heads = prop::sample::select(vec![
        "",
        "WITH x AS (SELECT a FROM base) ",
        "WITH x AS (SELECT a FROM t), y AS (SELECT b FROM x) ",
        "WITH RECURSIVE x AS (SELECT a FROM x) ",
        "EXPLAIN ",
    ]);
    (heads, expressions(), tables, expressions(), ends).prop_map(|(head, column, table, condition, end)| {
        format!("{head}SELECT {column} AS c, * FROM {table} WHERE {condition}{end}")
    })
}

/// A change of the usual clauses.
fn changes() -> impl Strategy<Value = String> {
    let tables = prop::sample::select(vec![
        "t",
        "s.Orders",
        "\"S\".\"T\"",
        "pg_class",
        "user",
        "`T`",
        "t AS x",
        "t x",
    ]);
    let ends = prop::sample::select(vec!["", ";", " RETURNING a", " LIMIT 1", "; DROP TABLE u", " FROM u"]);
    (tables, expressions(), expressions(), ends, 0..4).prop_map(|(table, value, condition, end, form)| {
        match form {
            0 => format!("INSERT INTO {table} (a, b) VALUES ({value}, 1), (2, {condition}){end}"),
            1 => format!("INSERT INTO {table} SELECT {value} FROM u WHERE {condition}{end}"),
            2 => format!("UPDATE {table} SET a = {value}, b = 1 WHERE {condition}{end}"),
            _ => format!("DELETE FROM {table} WHERE {condition}{end}"),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_query_is_read_alike_with_and_without_a_grammar(text in queries()) {
        check(&text);
    }

    #[test]
    fn a_change_is_read_alike_with_and_without_a_grammar(text in changes()) {
        check(&text);
    }

    #[test]
    fn a_spoilt_statement_is_read_alike(
        text in prop_oneof![queries(), changes()],
        at in 0..200_usize,
        piece in prop::sample::select(vec![
            "'", "\"", "`", "\\", "--", "/*", "*/", "#", "$$", "(", ")", ",", ".", ";", " x ", "1", "e", "@", "::int",
            "=", "<", ">", "!", "-", "::", ":", "\"x\"", " OVER ", " SET ", " VALUES ", "*", " AS ", " SELECT ", " FROM ", " ON ", " NOT ", "[", "{", "\u{e9}", "\0", " ,u ",
        ]),
        length in 0..3_usize,
    ) {
        let mut letters: Vec<char> = text.chars().collect();
        let from = at.min(letters.len());
        let to = (from + length).min(letters.len());
        letters.splice(from..to, piece.chars());
        check(&letters.into_iter().collect::<String>());
    }
}
