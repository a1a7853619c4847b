//! Numbers: the form that ECMAScript gives a double, and which numbers may have one.

use super::CanonicalError;
use crate::json::Node;

/// Up to here every integer is a double of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// From here on the form has an exponent, and nobody takes it for an integer.
const EXPONENT: f64 = 1e21;

/// Appends the form of a number.
pub(super) fn write(node: Node<'_>, form: &mut String) -> Result<(), CanonicalError> {
    let text = node.raw_text();
    let at = node.span().start;
    // A short integer is its own form, and most numbers are that.
    if text.len() < 16 && text != "-0" && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        form.push_str(text);
        return Ok(());
    }
    let number: f64 = text.parse().map_err(|_| CanonicalError::TooLarge { at })?;
    if !number.is_finite() {
        return Err(CanonicalError::TooLarge { at });
    }
    let mut buffer = ryu_js::Buffer::new();
    let written = buffer.format_finite(number);
    if number == 0.0 && !Decimal::read(text).is_zero() {
        return Err(CanonicalError::TooSmall { at });
    }
    if number.abs() >= EXACT {
        let may_stand = number.abs() == EXACT || (number.abs() >= EXPONENT && text.contains(['e', 'E']));
        if !may_stand || Decimal::read(text) != Decimal::read(written) {
            return Err(CanonicalError::Inexact { at });
        }
    }
    form.push_str(written);
    Ok(())
}

/// What a number says exactly: its digits from the first to the last that is not zero, and the power of ten of the first.
#[derive(PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    power: i64,
}

impl Decimal {
    /// Reads a number of JSON.
    fn read(text: &str) -> Decimal {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = whole.bytes().chain(fraction.bytes());
        let leading = all.clone().take_while(|digit| *digit == b'0').count();
        let mut digits: Vec<u8> = all.skip(leading).collect();
        let significant = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        digits.truncate(significant);
        if digits.is_empty() {
            return Decimal { negative: false, digits, power: 0 };
        }
        // An exponent that does not fit is compared only where the double is infinite or zero already.
        let exponent: i64 = exponent.parse().unwrap_or(i64::MAX);
        let power = exponent.saturating_add(whole.len() as i64).saturating_sub(leading as i64);
        Decimal { negative, digits, power }
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }
}

#[cfg(test)]
mod tests {
    /// The table of RFC 8785, appendix B: also doubles that no document may bring.
    #[test]
    fn doubles_are_written_as_in_the_table_of_the_rfc() {
        let table = [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"),
            (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ];
        for (bits, form) in table {
            assert_eq!(ryu_js::Buffer::new().format_finite(f64::from_bits(bits)), form, "{bits:016x}");
        }
    }
}
