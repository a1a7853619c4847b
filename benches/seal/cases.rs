//! Definitions of a usual size, signed.

use std::error::Error;
use std::hint::black_box;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ED25519, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    ParsedPublicKey,
};
use jiff::Timestamp;
use portcullis_seal::definition::{self, Standing};
use portcullis_seal::{Algorithm, Claims, PrivateKey, TrustRoots, TrustedKey};
use portcullis_wire::json::{Document, Limits, canonical};
use serde_json::{Value, json};

use crate::compare::Case;

const BARE: &str = "aws-lc-rs, the signature alone";

pub(crate) fn all() -> Result<Vec<Case>, Box<dyn Error>> {
    Ok(vec![
        form("canonical form of a tool, 1.6 kB")?,
        verify("one tool, Ed25519", 1, Algorithm::Ed25519, None)?,
        verify("one tool, ES256", 1, Algorithm::Es256, None)?,
        verify("200 tools, Ed25519", 200, Algorithm::Ed25519, Some(20_000.0))?,
        verify("200 tools, ES256", 200, Algorithm::Es256, Some(20_000.0))?,
        verify("200 tools, unsigned", 200, Algorithm::Rs256, None)?,
    ])
}

/// A tool with the schema of a usual one.
fn tool(number: usize) -> Value {
    let property = |index: usize| {
        let text = format!(
            "What argument {index} of this tool is about, in a sentence or two as servers write them."
        );
        json!({"type": "string", "description": text, "minLength": 1, "maxLength": 4096})
    };
    let properties: serde_json::Map<String, Value> =
        (0..8).map(|index| (format!("argument_{}", 7 - index), property(index))).collect();
    json!({
        "name": format!("tool_{number}"),
        "title": "A tool",
        "description": "Does something with its arguments, and says what came of it. Use it when nothing else fits.",
        "inputSchema": {"type": "object", "properties": properties, "required": ["argument_0"]},
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}

fn form(name: &'static str) -> Result<Case, Box<dyn Error>> {
    let value = tool(0);
    let text = value.to_string();
    let document = Document::parse(text.as_str(), &Limits::default())?;
    if canonical(document.root())? != serde_json_canonicalizer::to_vec(&value)? {
        return Err("the two forms differ".into());
    }
    Ok(Case {
        name,
        budget: None,
        analyse: Box::new(move || {
            let _ = black_box(canonical(black_box(document.root())));
        }),
        baseline_name: "serde_json_canonicalizer, of a tree",
        baseline: Box::new(move || {
            let _ = black_box(serde_json_canonicalizer::to_vec(black_box(&value)));
        }),
    })
}

/// Reads a list of tools and verifies each, with nothing known from before but the trusted key.
fn verify(
    name: &'static str,
    count: usize,
    algorithm: Algorithm,
    budget: Option<f64>,
) -> Result<Case, Box<dyn Error>> {
    let now = Timestamp::UNIX_EPOCH;
    let claims = Claims::new("acme.example", "acme.example/tool", "1.0.0".parse()?, now);
    let key = PrivateKey::from_random(algorithm, &[7; 32]);
    let signed = |number: usize| -> Result<String, Box<dyn Error>> {
        let text = tool(number).to_string();
        Ok(match &key {
            Ok(key) => String::from_utf8(definition::sign(text.as_bytes(), &claims, key)?)?,
            Err(_) => text,
        })
    };
    let tools = (0..count).map(signed).collect::<Result<Vec<String>, _>>()?;
    let list = format!("[{}]", tools.join(","));
    let mut roots = TrustRoots::default();
    if let Ok(key) = &key {
        roots.trust(TrustedKey::for_everything(key.public().clone(), "Acme"));
    }
    let run = move || {
        let document = Document::parse(list.as_str(), &Limits::default()).ok()?;
        let tools = document.root().items();
        let standings: Result<Vec<Standing>, _> =
            tools.map(|tool| definition::verify(tool, black_box(&roots), now)).collect();
        standings.ok().filter(|standings| standings.len() == count)
    };
    if run().is_none() {
        return Err("a tool does not verify".into());
    }
    let analyse = Box::new(move || {
        let _ = black_box(run());
    });
    Ok(Case { name, budget, analyse, baseline_name: BARE, baseline: bare(count, algorithm)? })
}

/// As many signatures over as many bytes, and nothing else. Unsigned tools are compared with the faster kind.
fn bare(count: usize, algorithm: Algorithm) -> Result<Box<dyn Fn()>, Box<dyn Error>> {
    let message = tool(0).to_string().repeat(4).into_bytes();
    let message = message.get(..2700).unwrap_or_default().to_vec();
    let (key, signature) = match algorithm {
        Algorithm::Es256 => {
            let random = SystemRandom::new();
            let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
            let key = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref())?;
            (key, pair.sign(&random, &message)?)
        }
        Algorithm::Ed25519 | Algorithm::Rs256 | Algorithm::Ps256 => {
            let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32])?;
            (ParsedPublicKey::new(&ED25519, pair.public_key().as_ref())?, pair.sign(&message))
        }
    };
    Ok(Box::new(move || {
        for _ in 0..count {
            let _ = black_box(key.verify_sig(black_box(&message), signature.as_ref()));
        }
    }))
}
