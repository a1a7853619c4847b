//! The program as a user meets it in a terminal: the examples of the documentation, and of bad input, are run and
//! their output compared.

#[test]
fn the_program_says_what_the_documents_show() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    // The examples are named from the top of the repository, as a reader there would.
    std::env::set_current_dir(here.join("../..")).unwrap();
    trycmd::TestCases::new()
        .register_bin("portcullis", trycmd::cargo::cargo_bin!("portcullis"))
        .case("crates/portcullis/tests/commands/*.trycmd")
        .case("docs/explain.md")
        .case("docs/invariants.md")
        .case("docs/replay.md")
        .case("docs/rules.md")
        .case("docs/consentbench.md");
}
