//! The program as a user meets it in a terminal: every example in the documentation and under
//! `tests/commands` is run and its output compared.

#[test]
fn the_program_says_what_the_documents_show() {
    // The examples are named from the top of the repository, as a reader there would.
    trycmd::TestCases::new()
        .register_bin("portcullis", trycmd::cargo::cargo_bin!("portcullis"))
        .case("tests/commands/*.trycmd")
        .case("../../docs/*.md");
}
