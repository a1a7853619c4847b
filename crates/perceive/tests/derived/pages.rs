//! What the browsers of servers that no catalogue knows show, and arguments that hold more than is looked at.

use portcullis_perceive::derive::{Definition, derive};
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver, Perception};
use serde_json::{Value, json};

fn call(server: &str, tool: &str, arguments: &Value, memory: &Memory) -> Perception {
    let properties =
        json!({"url": {"type": "string"}, "selector": {"type": "string"}, "options": {"type": "object"}});
    let definition = json!({"name": tool, "inputSchema": {"type": "object", "properties": properties}});
    let profile = derive(server, &Definition::read(&definition).expect("a definition"));
    let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
    let ground = layout.ground().expect("a layout");
    let formats = Formats::built_in().expect("formats");
    let perceiver =
        Perceiver { ground: &ground, formats: &formats, resolver: &NoLinks, tools: &|_: &str| None };
    perceiver.call(&profile, arguments, memory)
}

fn acts(seen: &Perception) -> Vec<String> {
    seen.acts.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_filled_in_goes_to_the_page_that_this_browser_opened() {
    let memory = Memory::default();
    let opened =
        call("selenium", "selenium_navigate", &json!({"url": "https://shop.example/cart?x=1"}), &memory);
    assert_eq!(acts(&opened), ["read from https://shop.example/cart to ctxt"]);
    let memory = memory.after(&opened);
    let filled = call("selenium", "selenium_fill", &json!({"selector": "#a"}), &memory);
    assert_eq!(acts(&filled), ["write from ctxt to https://shop.example/cart"]);
    // Another tab: nobody knows what it shows.
    let chosen = call("selenium", "selenium_select_tab", &json!({}), &memory);
    let memory = memory.after(&chosen);
    let filled = call("selenium", "selenium_fill", &json!({"selector": "#a"}), &memory);
    assert_eq!(acts(&filled), ["write from ctxt to all of https://*"]);
}

#[test]
fn no_server_says_what_another_ones_browser_shows() {
    let shown = Memory { page: Some("https://bank.example".into()), ..Memory::default() };
    let opened = call("selenium", "selenium_navigate", &json!({"url": "https://shop.example"}), &shown);
    let memory = shown.after(&opened);
    assert_eq!(
        memory.page.as_deref(),
        Some("https://bank.example"),
        "the catalogue's browser shows what it showed"
    );
    let filled = call("puppeteer", "puppeteer_fill", &json!({"selector": "#a"}), &memory);
    assert_eq!(acts(&filled), ["write from ctxt to all of https://*"]);
}

#[test]
fn arguments_that_hold_more_than_is_looked_at_may_hold_anything() {
    let deep = (0..60).fold(json!({"file_path": "/home/u/.ssh/id_rsa"}), |inner, _| json!({"a": inner}));
    let seen = call("desk", "upload_thing", &json!({"options": deep}), &Memory::default());
    let anywhere = "write from ctxt to all of /, all of https://*, all of mailto:*, with text";
    assert!(acts(&seen).contains(&anywhere.to_owned()), "{:?}", acts(&seen));
    assert!(
        seen.doubts.iter().any(|doubt| doubt.to_string().contains("more stands in them than is looked at"))
    );
    let plain = call("desk", "upload_thing", &json!({"options": {"a": {"b": 1}}}), &Memory::default());
    assert_eq!((acts(&plain), plain.doubts.len()), (vec!["write from ctxt to all of desk:*".to_owned()], 0));
}
