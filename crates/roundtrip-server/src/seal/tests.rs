//! Tests of the sealing as a whole.
