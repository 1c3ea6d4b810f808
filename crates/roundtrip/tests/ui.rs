//! What the compiler says to common mistakes: the type at fault, and what to do.

#[test]
fn mistakes_are_named() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
