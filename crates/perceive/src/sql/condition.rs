//! Whether a condition chooses rows at all: `WHERE 1 = 1` does not.

use core::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, SetExpr, UnaryOperator, Value, visit_expressions};

/// What is known of a condition without looking at a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Holds,
    Fails,
    /// It depends on the row.
    Open,
    /// It does not depend on the row, but what it says is known to the database alone.
    Fixed,
}

/// Whether a condition may hold for some rows and not for others, or for none: whether it is more than an ornament.
pub(super) fn restricts(condition: &Expr) -> bool {
    matches!(truth(condition), Truth::Open | Truth::Fails)
}

fn truth(condition: &Expr) -> Truth {
    match condition {
        Expr::Nested(inner) | Expr::IsTrue(inner) => truth(inner),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => not(truth(expr)),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => and(truth(left), truth(right)),
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => or(truth(left), truth(right)),
        Expr::BinaryOp { left, op, right } => compared(left, op, right).unwrap_or_else(|| unknown(condition)),
        Expr::Value(value) => match &value.value {
            Value::Boolean(false) | Value::Null => Truth::Fails,
            Value::Number(text, _) => holds(text.parse::<f64>() != Ok(0.0)),
            _ => unknown(condition),
        },
        Expr::Like { negated: false, pattern, .. } | Expr::ILike { negated: false, pattern, .. }
            if is_any(pattern) =>
        {
            Truth::Holds
        }
        Expr::InList { expr, list, negated: false } if list.contains(expr) => Truth::Holds,
        Expr::Exists { subquery, negated: false } if is_without_table(&subquery.body) => Truth::Fixed,
        _ => unknown(condition),
    }
}

/// A comparison whose outcome the text tells.
fn compared(left: &Expr, operator: &BinaryOperator, right: &Expr) -> Option<Truth> {
    let (left, right) = (inside(left), inside(right));
    let order = match (constant(left), constant(right)) {
        _ if left == right => core::cmp::Ordering::Equal,
        (Some(left), Some(right)) => match (left.parse::<f64>(), right.parse::<f64>()) {
            (Ok(left), Ok(right)) => left.partial_cmp(&right)?,
            _ => left.cmp(right),
        },
        _ => return None,
    };
    Some(holds(match operator {
        BinaryOperator::Eq | BinaryOperator::Spaceship => order.is_eq(),
        BinaryOperator::NotEq => order.is_ne(),
        BinaryOperator::Lt => order.is_lt(),
        BinaryOperator::LtEq => order.is_le(),
        BinaryOperator::Gt => order.is_gt(),
        BinaryOperator::GtEq => order.is_ge(),
        _ => return None,
    }))
}

fn inside(expression: &Expr) -> &Expr {
    match expression {
        Expr::Nested(inner) => inside(inner),
        other => other,
    }
}

/// The text of a number or a string.
fn constant(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) | Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a pattern fits every text.
fn is_any(pattern: &Expr) -> bool {
    constant(pattern).is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte == b'%'))
}

fn is_without_table(body: &SetExpr) -> bool {
    matches!(body, SetExpr::Select(select) if select.from.is_empty())
}

/// What is left to say of a condition: whether it looks at the row, or into another table.
fn unknown(condition: &Expr) -> Truth {
    let look = |expression: &Expr| match expression {
        Expr::Identifier(ident) if ident.quote_style.is_none() && is_true(&ident.value) => {
            ControlFlow::Continue(())
        }
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::CompoundFieldAccess { .. } => {
            ControlFlow::Break(())
        }
        Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    if visit_expressions(condition, look).is_break() { Truth::Open } else { Truth::Fixed }
}

/// Whether a word that some grammars take for a column means that something holds.
fn is_true(word: &str) -> bool {
    word.eq_ignore_ascii_case("true")
}

fn holds(it_does: bool) -> Truth {
    if it_does { Truth::Holds } else { Truth::Fails }
}

fn not(truth: Truth) -> Truth {
    match truth {
        Truth::Holds => Truth::Fails,
        Truth::Fails => Truth::Holds,
        Truth::Open => Truth::Open,
        Truth::Fixed => Truth::Fixed,
    }
}

fn and(one: Truth, other: Truth) -> Truth {
    match (one, other) {
        (Truth::Fails, _) | (_, Truth::Fails) => Truth::Fails,
        (Truth::Open, _) | (_, Truth::Open) => Truth::Open,
        (Truth::Fixed, _) | (_, Truth::Fixed) => Truth::Fixed,
        (Truth::Holds, Truth::Holds) => Truth::Holds,
    }
}

/// What is fixed may well hold, and then nothing is chosen.
fn or(one: Truth, other: Truth) -> Truth {
    match (one, other) {
        (Truth::Holds, _) | (_, Truth::Holds) => Truth::Holds,
        (Truth::Fixed, _) | (_, Truth::Fixed) => Truth::Fixed,
        (Truth::Open, _) | (_, Truth::Open) => Truth::Open,
        (Truth::Fails, Truth::Fails) => Truth::Fails,
    }
}
