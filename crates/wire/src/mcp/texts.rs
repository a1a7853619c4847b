//! Everything that a result says.

use std::borrow::Cow;

use crate::json::{Kind, Node};

/// A text in a result.
#[derive(Debug, Clone)]
pub struct Text<'d> {
    /// What it says.
    pub text: Cow<'d, str>,
    /// How it is meant.
    pub manner: Manner,
    /// Where it stands: the string itself, or the value that has it for a key.
    pub node: Node<'d>,
}

/// How a text is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// To be read.
    Plain,
    /// As base64 of something else: a picture, a sound, a file.
    Base64,
    /// As a key of an object, where the server chose it.
    Key,
}

/// Members that the protocol defines, whose names therefore say nothing.
const MEMBERS: &[&str] = &[
    "_meta",
    "action",
    "annotations",
    "audience",
    "blob",
    "cacheScope",
    "content",
    "contents",
    "data",
    "description",
    "error",
    "icons",
    "inputRequests",
    "isError",
    "lastModified",
    "message",
    "messages",
    "method",
    "mimeType",
    "name",
    "params",
    "priority",
    "requestState",
    "resource",
    "result",
    "resultType",
    "role",
    "size",
    "sizes",
    "src",
    "status",
    "statusMessage",
    "structuredContent",
    "taskId",
    "text",
    "theme",
    "title",
    "ttlMs",
    "type",
    "uri",
    "url",
];

/// Values that the protocol defines, by their members.
const VALUES: &[(&str, &[&str])] = &[
    ("type", &["text", "image", "audio", "resource", "resource_link", "tool_use", "tool_result"]),
    ("role", &["user", "assistant"]),
    ("audience", &["user", "assistant"]),
    ("resultType", &["complete", "input_required", "task"]),
    ("cacheScope", &["public", "private"]),
];

/// Shows every text of the result of `tools/call`, `resources/read`, `prompts/get` or of a task, in its order: texts of
/// content, of embedded resources, of links, every string of structured content and the keys that the server chose.
/// Nothing is left out but words that the protocol itself defines.
pub fn texts<'d>(result: Node<'d>, mut visit: impl FnMut(Text<'d>)) {
    Walk { visit: &mut visit, chosen: false }.value("", result, Manner::Plain);
}

struct Walk<'v, V> {
    visit: &'v mut V,
    /// Whether the server chose all keys and values here.
    chosen: bool,
}

impl<'d, V: FnMut(Text<'d>)> Walk<'_, V> {
    /// A value that belongs to a member. The depth of a document bounds the recursion.
    fn value(&mut self, member: &str, node: Node<'d>, manner: Manner) {
        match node.kind() {
            Kind::String => {
                let text = node.as_str().unwrap_or_default();
                if self.chosen || !is_defined(member, &text) {
                    (self.visit)(Text { text, manner, node });
                }
            }
            Kind::Array => node.items().for_each(|item| self.value(member, item, manner)),
            Kind::Object => self.object(node),
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }

    fn object(&mut self, node: Node<'d>) {
        let is_medium = node.get("type").is_some_and(|kind| kind.is_str("image") || kind.is_str("audio"));
        for (key, value) in node.members() {
            let manner = match &*key {
                "blob" if !self.chosen => Manner::Base64,
                "data" if is_medium && !self.chosen => Manner::Base64,
                _ => Manner::Plain,
            };
            let chosen = self.chosen || key == "structuredContent" || key == "_meta";
            let mut walk = Walk { visit: &mut *self.visit, chosen };
            if self.chosen || !MEMBERS.contains(&&*key) {
                (walk.visit)(Text { text: key.clone(), manner: Manner::Key, node: value });
            }
            walk.value(&key, value, manner);
        }
    }
}

fn is_defined(member: &str, text: &str) -> bool {
    VALUES.iter().any(|(name, values)| *name == member && values.contains(&text))
}
