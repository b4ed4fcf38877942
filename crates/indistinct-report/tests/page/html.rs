//! A page as a strict reader sees it: every tag closed, nothing in it that the templates do not have.

use std::collections::HashSet;

/// Elements that the templates and charts use. Anything else came from somewhere else.
const KNOWN: &str = "html head meta title style body a div p strong header nav ul li main section h1 h2 h3 h4 dl dt dd \
    figure figcaption svg desc g path rect text table caption thead tbody tfoot tr th td bdi details summary span i input \
    label pre code footer";

/// An element with its attributes and, for those without children, its text.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The elements of a page in their order, or a panic at what is not well-formed.
pub(crate) fn elements(page: &str) -> Vec<Element> {
    let mut rest = page.strip_prefix("<!doctype html>").expect("a doctype");
    let mut open: Vec<usize> = Vec::new();
    let mut found: Vec<Element> = Vec::new();
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "a stray > in {text:?}");
        if let Some(&inside) = open.last() {
            found[inside].text.push_str(text);
        }
        rest = &rest[start + 1..];
        if let Some(closing) = rest.strip_prefix('/') {
            let (name, after) = closing.split_once('>').expect("the end of a tag");
            let last = open.pop().expect("something open");
            assert_eq!(found[last].name, name, "closed in another order");
            rest = after;
            continue;
        }
        let (element, closed, after) = tag(rest);
        rest = after;
        let raw = element.name == "style";
        if !(closed || ["meta", "input"].contains(&element.name.as_str())) {
            open.push(found.len());
        }
        found.push(element);
        if raw {
            let end = rest.find("</style>").expect("the end of the style");
            found.last_mut().expect("the style").text.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    found
}

/// A tag after its `<`: the element, whether it closes itself, and what follows.
fn tag(text: &str) -> (Element, bool, &str) {
    let end = text.find([' ', '>', '/', '\n']).expect("the end of a name");
    let name = text[..end].to_owned();
    assert!(KNOWN.split_whitespace().any(|known| known == name), "an element of the templates: {name:?}");
    let mut rest = text[end..].trim_start();
    let mut attributes = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix("/>") {
            return (Element { name, attributes, text: String::new() }, true, after);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (Element { name, attributes, text: String::new() }, false, after);
        }
        let end = rest.find(['=', ' ', '>']).expect("the end of an attribute's name");
        let attribute = rest[..end].to_owned();
        assert!(
            attribute.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-'),
            "{attribute:?}"
        );
        assert!(!attribute.starts_with("on"), "{attribute}");
        rest = &rest[end..];
        let value = if let Some(quoted) = rest.strip_prefix("=\"") {
            let (value, after) = quoted.split_once('"').expect("a closing quote");
            assert!(!value.contains('<'), "{value:?}");
            rest = after;
            value.to_owned()
        } else {
            String::new()
        };
        assert!(attribute != "href" || value.starts_with('#'), "{value:?}");
        attributes.push((attribute, value));
        rest = rest.trim_start();
    }
}

/// What every page must have, whatever is put into it.
pub(crate) fn assert_sound(page: &str) -> Vec<Element> {
    let elements = elements(page);
    let all = |name: &str| elements.iter().filter(|element| element.name == name).count();
    for (name, count) in [("html", 1), ("main", 1), ("h1", 1), ("nav", 1), ("header", 1), ("footer", 1)] {
        assert_eq!(all(name), count, "{name}");
    }
    assert_eq!(elements[0].attribute("lang"), Some("en"));
    let mut ids = HashSet::new();
    for id in elements.iter().filter_map(|element| element.attribute("id")) {
        assert!(ids.insert(id), "two elements have the id {id}");
    }
    for element in &elements {
        for name in ["aria-labelledby", "for"] {
            for id in element.attribute(name).unwrap_or("").split_whitespace() {
                assert!(ids.contains(id), "{id}");
            }
        }
        if let Some(href) = element.attribute("href") {
            assert!(ids.contains(&href[1..]), "{href} leads nowhere");
        }
    }
    let mut level = 0;
    for element in &elements {
        if let Some(next) = element.name.strip_prefix('h').and_then(|digit| digit.parse::<u32>().ok()) {
            assert!(next <= level + 1, "h{next} after h{level}");
            level = next;
        }
    }
    assert_eq!(all("table"), all("caption"));
    assert!(elements.iter().filter(|element| element.name == "th").all(|th| th.attribute("scope").is_some()));
    // Every figure is a drawing with a name.
    assert_eq!(all("figure"), all("svg"));
    for (place, element) in elements.iter().enumerate() {
        if element.name == "svg" {
            assert!(elements[place + 1].name == "title" && !elements[place + 1].text.trim().is_empty());
        }
    }
    for (name, value) in elements.iter().flat_map(|element| &element.attributes) {
        assert!(!["src", "srcset", "action", "data"].contains(&name.as_str()), "{name}");
        let shape =
            ["x", "y", "width", "height", "d", "fill-opacity", "transform", "style"].contains(&name.as_str());
        assert!(!(shape && (value.contains("NaN") || value.contains("inf"))), "{name}: {value}");
    }
    let style = elements.iter().find(|element| element.name == "style").expect("a style sheet");
    assert!(!style.text.contains("url(") && !style.text.contains("@import"));
    elements
}
